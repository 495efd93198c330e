import type * as Core from '../index.js';
import {
  brandError,
  errorHelp,
  GuardConfigError,
  GuardError,
  GuardStorageUnavailableError,
  GuardStorageUnsupportedError,
  mayHaveHadEffect,
} from '../index.js';

/** Where the site has the page: a literal, so that a change of it is a decision. */
const ERRORS = 'https://agentfront.github.io/guard/errors';

/** The package once more, as a second copy of it in the process would be. */
function secondCopy(): typeof Core {
  let copy: typeof Core | undefined;
  jest.isolateModules(() => {
    copy = jest.requireActual('../index.js');
  });
  return copy as typeof Core;
}

class UserError extends GuardError {
  constructor() {
    super('Mine', { code: 'MINE', statusCode: 418 });
  }
}

describe('GuardError', () => {
  test('[ERR-01] every error has a code, a status and a name', () => {
    const error = new GuardConfigError('Bad');
    expect(error).toMatchObject({
      code: 'GUARD_CONFIG_INVALID',
      statusCode: 500,
      name: 'GuardConfigError',
      message: `Bad (see ${ERRORS}#guard_config_invalid)`,
    });
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toBe(`GuardConfigError: Bad (see ${ERRORS}#guard_config_invalid)`);
  });

  test.each([
    ['GUARD_CONFIG_INVALID', GuardConfigError, `${ERRORS}#guard_config_invalid`],
    [
      'GUARD_STORAGE_UNAVAILABLE',
      GuardStorageUnavailableError,
      `${ERRORS}#guard_storage_unavailable`,
    ],
    [
      'GUARD_STORAGE_UNSUPPORTED',
      GuardStorageUnsupportedError,
      `${ERRORS}#guard_storage_unsupported`,
    ],
  ])('the message of %s ends with where it is explained', (code, ErrorClass, url) => {
    const error = new ErrorClass('Bad');
    expect(error.code).toBe(code);
    expect(error.message).toBe(`Bad (see ${url})`);
    expect(errorHelp(code)).toBe(url);
  });

  test('a message that is made of others has the link once, at its end', () => {
    const [one, other] = [new GuardConfigError('One'), new GuardConfigError('Other')];
    const link = `(see ${ERRORS}#guard_config_invalid)`;
    expect(new GuardConfigError(one.message).message).toBe(`One ${link}`);
    expect(new GuardConfigError(`${one.message}; said twice`).message).toBe(
      `One; said twice ${link}`,
    );
    expect(new GuardConfigError(`${one.message}; ${other.message}`).message).toBe(
      `One; Other ${link}`,
    );
  });

  test('an error of an application gives help of its own, or none', () => {
    expect(new UserError().message).toBe('Mine');
    const details = { code: 'MINE', statusCode: 418 };
    const help = 'https://example.com/help?code=$&#mine';
    expect(new GuardError('Mine', { ...details, help }).message).toBe(`Mine (see ${help})`);
    const made = new GuardError(`${new GuardConfigError('Bad').message}, again`, details);
    expect(made.message).toBe(`Bad (see ${ERRORS}#guard_config_invalid), again`);
  });

  test('the link is in the message only, and in no property', () => {
    expect(JSON.parse(JSON.stringify(new GuardConfigError('Bad')))).toEqual({
      code: 'GUARD_CONFIG_INVALID',
      statusCode: 500,
    });
  });

  test('[ERR-02] instanceof recognizes an error of another copy, by its class and by every base', () => {
    const other = secondCopy();
    expect(other.GuardError).not.toBe(GuardError);
    const error = new other.GuardStorageUnavailableError('Down');
    expect(Object.getPrototypeOf(error)).not.toBe(GuardStorageUnavailableError.prototype);
    expect(error instanceof GuardStorageUnavailableError).toBe(true);
    expect(error instanceof GuardError).toBe(true);
    expect(error instanceof GuardConfigError).toBe(false);
  });

  test('[ERR-02] a base error of another copy is no instance of a subclass', () => {
    const other = secondCopy();
    const error = new other.GuardError('Base', { code: 'X', statusCode: 500 });
    expect(error instanceof GuardError).toBe(true);
    expect(error instanceof GuardConfigError).toBe(false);
  });

  test('[ERR-02] a branded subclass outside of core is recognized from another copy of it', () => {
    const define = (core: typeof Core) =>
      class BrandedError extends core.GuardError {
        static {
          core.brandError(this, 'BrandedErrorOfTest');
        }
      };
    const Mine = define({ brandError, GuardError } as typeof Core);
    const Theirs = define(secondCopy());
    const error = new Theirs('x', { code: 'X', statusCode: 500 });
    expect(error instanceof Mine).toBe(true);
    expect(error instanceof GuardError).toBe(true);
    expect(new GuardError('x', { code: 'X', statusCode: 500 }) instanceof Mine).toBe(false);
  });

  test('a subclass without a brand goes by its prototype chain', () => {
    expect(new UserError() instanceof UserError).toBe(true);
    expect(new UserError() instanceof GuardError).toBe(true);
    expect(new GuardConfigError('x') instanceof UserError).toBe(false);
    expect(new UserError() instanceof secondCopy().GuardError).toBe(true);
  });

  test.each([undefined, null, 1, 'text', {}, new Error('other'), Object.create(null)])(
    'what is no guard error is no instance (%#)',
    (value) => {
      expect(value instanceof GuardError).toBe(false);
    },
  );

  test('a storage error says whether its call may have had an effect', () => {
    expect(new GuardStorageUnavailableError('Timed out').wasSent).toBe(true);
    expect(mayHaveHadEffect(new GuardStorageUnavailableError('Timed out'))).toBe(true);
    expect(mayHaveHadEffect(new Error('ECONNRESET'))).toBe(true);
    const unsent = new GuardStorageUnavailableError('Down', { wasSent: false });
    expect(mayHaveHadEffect(unsent)).toBe(false);
    expect('cause' in unsent).toBe(false);
  });

  test('keeps the cause, and has none when none is given', () => {
    const cause = new Error('socket closed');
    expect(new GuardStorageUnavailableError('Down', { cause }).cause).toBe(cause);
    expect('cause' in new GuardStorageUnavailableError('Down')).toBe(false);
  });
});
