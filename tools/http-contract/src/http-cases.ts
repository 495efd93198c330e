import { admittedCases } from './cases/admitted.ts';
import { clientIpCases } from './cases/client-ip.ts';
import { connectionCases } from './cases/connections.ts';
import { errorCases } from './cases/errors.ts';
import { goneCases } from './cases/gone.ts';
import { limitCases } from './cases/limits.ts';
import { optionCases } from './cases/options.ts';
import { outageCases } from './cases/outage.ts';
import { queueCases } from './cases/queue.ts';
import { refusedCases } from './cases/refused.ts';
import { streamCases } from './cases/streams.ts';
import { timeoutCases } from './cases/timeout.ts';
import type { HttpCase } from './http-case.ts';

/** What every HTTP layer must answer. */
export const httpCases: readonly HttpCase[] = [
  ...admittedCases,
  ...refusedCases,
  ...clientIpCases,
  ...queueCases,
  ...timeoutCases,
  ...goneCases,
  ...outageCases,
  ...errorCases,
  ...streamCases,
  ...connectionCases,
  ...limitCases,
  ...optionCases,
];
