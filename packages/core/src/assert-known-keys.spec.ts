import { assertKnownKeys } from './assert-known-keys.js';
import { GuardConfigError } from './errors/guard-config-error.js';

describe('assertKnownKeys', () => {
  const known = new Set(['maxRequests', 'windowMs']);

  it.each([[{}], [{ windowMs: 1 }], [{ maxRequests: undefined, windowMs: 1 }]])(
    'takes %j',
    (value) => {
      expect(() => assertKnownKeys(value, known, 'rateLimit')).not.toThrow();
    },
  );

  it.each([
    [null, 'null'],
    [undefined, 'undefined'],
    [5, 'number'],
    ['text', 'string'],
  ])('refuses %p, which is no object', (value, kind) => {
    expect(() => assertKnownKeys(value as never, known, 'rateLimit')).toThrow(
      new GuardConfigError(`rateLimit must be an object, got ${kind}`),
    );
  });

  it('takes what is inherited for no key of the object', () => {
    const value = Object.create(
      { windowMS: 1 },
      { windowMs: { value: 1, enumerable: true } },
    ) as object;
    expect(() => assertKnownKeys(value, known, 'rateLimit')).not.toThrow();
  });

  it.each([
    [{ windowMS: 1 }, 'Unknown key "windowMS" in rateLimit, did you mean "windowMs"?'],
    [{ windowMs: 1, colour: 1 }, 'Unknown key "colour" in rateLimit'],
    [{ windowMs: 1, toString: 1 }, 'Unknown key "toString" in rateLimit'],
  ])('refuses %j', (value, message) => {
    expect(() => assertKnownKeys(value, known, 'rateLimit')).toThrow(new GuardConfigError(message));
  });
});
