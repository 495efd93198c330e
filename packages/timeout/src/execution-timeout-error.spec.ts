import { errorHelp, GuardError } from '@frontmcp/guard-core';
import { ExecutionTimeoutError } from './execution-timeout-error.js';

describe('ExecutionTimeoutError', () => {
  const error = new ExecutionTimeoutError('fetch-data', 5_000);

  test('[TO-07] extends GuardError and Error', () => {
    expect(error).toBeInstanceOf(ExecutionTimeoutError);
    expect(error).toBeInstanceOf(GuardError);
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe('ExecutionTimeoutError');
  });

  test('[TO-09] has the code EXECUTION_TIMEOUT and the status 408', () => {
    expect(error.code).toBe('EXECUTION_TIMEOUT');
    expect(error.statusCode).toBe(408);
  });

  test('[TO-06] [TO-11] names the operation and the time it had', () => {
    expect(error.message).toBe(
      `Execution of "fetch-data" timed out after 5000 ms (see ${errorHelp('EXECUTION_TIMEOUT')})`,
    );
    expect(error.operation).toBe('fetch-data');
    expect(error.timeoutMs).toBe(5_000);
  });

  test('its cause is a DOMException named TimeoutError, as AbortSignal.timeout gives it', () => {
    expect(error.cause).toBeInstanceOf(DOMException);
    expect((error.cause as DOMException).name).toBe('TimeoutError');
    expect((error.cause as DOMException).message).toBe(
      'Execution of "fetch-data" timed out after 5000 ms',
    );
  });

  test('[TO-08] is recognized by the classes of another copy of the package, and the other way round', () => {
    jest.resetModules();
    const otherCore =
      jest.requireActual<typeof import('@frontmcp/guard-core')>('@frontmcp/guard-core');
    const other = jest.requireActual<typeof import('./execution-timeout-error.js')>(
      './execution-timeout-error.js',
    );
    expect(other.ExecutionTimeoutError).not.toBe(ExecutionTimeoutError);
    expect(error instanceof other.ExecutionTimeoutError).toBe(true);
    expect(error instanceof otherCore.GuardError).toBe(true);
    expect(new other.ExecutionTimeoutError('copy', 1) instanceof ExecutionTimeoutError).toBe(true);
    expect(new otherCore.GuardConfigError('other kind') instanceof ExecutionTimeoutError).toBe(
      false,
    );
  });

  test('nothing else is taken for one', () => {
    for (const value of [
      undefined,
      null,
      'EXECUTION_TIMEOUT',
      new Error('x'),
      { code: 'EXECUTION_TIMEOUT' },
    ]) {
      expect(value instanceof ExecutionTimeoutError).toBe(false);
    }
  });
});
