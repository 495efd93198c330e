import type { Requirement } from './requirement.ts';

/** What the public contract promises about `withTimeout` and `ExecutionTimeoutError`. */
export const timeoutRequirements: readonly Requirement[] = [
  {
    id: 'TO-01',
    sentence: 'withTimeout runs an async function with a deadline.',
    source: 'Timeout',
    status: 'tested',
  },
  {
    id: 'TO-02',
    sentence: 'It passes the function an AbortSignal that is aborted when time runs out.',
    source: 'Timeout',
    status: 'tested',
  },
  {
    id: 'TO-03',
    sentence: 'It rejects with ExecutionTimeoutError when time runs out.',
    source: 'Timeout',
    status: 'tested',
  },
  {
    id: 'TO-04',
    sentence: 'The function keeps running unless it listens to the signal.',
    source: 'Timeout',
    status: 'tested',
  },
  {
    id: 'TO-05',
    sentence: 'The second argument is the timeout in ms.',
    source: 'Timeout',
    status: 'tested',
  },
  {
    id: 'TO-06',
    sentence: 'The third argument is the name used in error messages.',
    source: 'Timeout',
    status: 'tested',
  },
  {
    id: 'TO-07',
    sentence:
      'Every error extends GuardError, which has a machine-readable code and an HTTP statusCode.',
    source: 'Errors',
    status: 'tested',
  },
  {
    id: 'TO-08',
    sentence:
      'instanceof GuardError also recognizes an error from another copy of this package in the same process.',
    source: 'Errors',
    status: 'tested',
  },
  {
    id: 'TO-09',
    sentence: 'ExecutionTimeoutError has the code EXECUTION_TIMEOUT and the status 408.',
    source: 'Errors',
    status: 'tested',
  },
  {
    id: 'TO-10',
    sentence: 'ExecutionTimeoutError is thrown by withTimeout, when time runs out.',
    source: 'Errors',
    status: 'tested',
  },
  {
    id: 'TO-11',
    sentence: 'err.timeoutMs is the timeout that was given.',
    source: 'Errors',
    status: 'tested',
  },
  {
    id: 'TO-12',
    sentence: 'withTimeout and ExecutionTimeoutError are exported from the package root.',
    source: 'API reference',
    status: 'tested',
  },
];
