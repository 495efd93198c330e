import type { Behaviour, Loaded, Report } from './behaviour.ts';

export const timeout: Behaviour = {
  name: 'timeout',
  expected: {
    inTime: 'done',
    late: 'EXECUTION_TIMEOUT 408',
    isTyped: true,
    isBranded: true,
    cause: 'TimeoutError',
    signalHasTheError: true,
    fromOutside: 'changed my mind',
  },
  async observe({ guard }) {
    return {
      inTime: await guard.withTimeout(() => Promise.resolve('done'), 60_000, 'quick'),
      ...(await observeLate(guard)),
      fromOutside: await observeAbort(guard),
    };
  },
};

async function observeLate({
  withTimeout,
  ExecutionTimeoutError,
  GuardError,
}: Loaded['guard']): Promise<Report> {
  let signal: AbortSignal | undefined;
  try {
    await withTimeout((given) => never((signal = given)), 20, 'slow');
    return { late: 'in time' };
  } catch (error) {
    if (!(error instanceof ExecutionTimeoutError)) return { late: String(error) };
    return {
      late: `${error.code} ${error.statusCode}`,
      isTyped: error.operation === 'slow' && error.timeoutMs === 20,
      isBranded: error instanceof GuardError,
      cause: (error.cause as Error).name,
      signalHasTheError: signal?.aborted === true && signal.reason === error,
    };
  }
}

async function observeAbort({ withTimeout }: Loaded['guard']): Promise<unknown> {
  const controller = new AbortController();
  const options = { signal: controller.signal };
  const call = withTimeout((signal) => never(signal), 60_000, 'slow', options);
  controller.abort('changed my mind');
  return call.catch((reason: unknown) => reason);
}

/** Work that goes on until it is told to stop. */
function never(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('stopped')));
  });
}
