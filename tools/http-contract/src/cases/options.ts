import { GuardStorageUnavailableError } from '@frontmcp/guard';

import { expectReply } from '../expect-reply.ts';
import type { ContractManager, ContractOptions } from '../contract-layer.ts';
import type { HttpCase } from '../http-case.ts';

const refused = (options: ContractOptions, name: string, message: RegExp): HttpCase => ({
  name: `options that cannot be followed are an error at creation: ${JSON.stringify(options)}`,
  options,
  refusedAtCreation: { name, message },
});
const config = { defaultRateLimit: { maxRequests: 2 } };
const counted: HttpCase['steps'] = [
  ['/ok', 200],
  ['/ok', 200],
  ['/ok', 429],
];

/** What a layer can be told. */
export const optionCases: readonly HttpCase[] = [
  {
    name: 'the guard may be a promise',
    config,
    giveGuard: (manager) => Promise.resolve(manager),
    steps: counted,
  },
  {
    name: 'the guard may be a function',
    config,
    giveGuard: (manager) => () => manager,
    steps: counted,
  },
  {
    name: 'the guard may be a function that gives a promise',
    config,
    giveGuard: (manager) => () => Promise.resolve(manager),
    steps: counted,
  },
  {
    name: 'a guard that is waited for guards where the global Promise has been replaced, too',
    config: { defaultRateLimit: { maxRequests: 1 } },
    giveGuard: (manager) => () => Promise.resolve(manager),
    play: async (stage) => {
      const connection = await stage.connect();
      const { Promise: own } = globalThis;
      globalThis.Promise = class Replaced<T> extends own<T> {};
      try {
        expectReply(await connection.ask({ path: '/ok' }), 200);
        expectReply(await connection.ask({ path: '/ok' }), 429);
      } finally {
        globalThis.Promise = own;
      }
    },
  },
  {
    name: 'a guard that cannot be had is the framework’s error',
    giveGuard: () => Promise.reject(new Error('No guard')),
    steps: [
      ['/ok', 500],
      ['/ok', 500],
    ],
  },
  {
    name: 'a guard whose storage cannot be reached is an outage, except for what nothing guards',
    options: { failOpen: true, skip: ({ path }) => path === '/who' },
    giveGuard: () => () => Promise.reject(new GuardStorageUnavailableError('Down at the start')),
    steps: [
      ['/ok', { status: 503, body: { status: 503, code: 'GUARD_STORAGE_UNAVAILABLE' } }],
      ['/who', 200],
    ],
  },
  {
    name: 'a guard that is none is the framework’s error',
    giveGuard: () => (() => ({})) as unknown as ContractManager,
    steps: [['/ok', 500]],
  },
  {
    name: 'a guard that is none is an error at creation',
    giveGuard: () => 'guard' as unknown as ContractManager,
    refusedAtCreation: {
      name: 'GuardConfigError',
      message:
        /^guard\w+ needs a guard manager as guard, got guard \(see \S+#guard_config_invalid\)$/,
    },
  },
  refused(
    { rateLimt: { maxRequests: 1 } } as ContractOptions,
    'GuardConfigError',
    /^Unknown key "rateLimt" in the options of guard\w+, did you mean "rateLimit"\? \(see \S+#guard_config_invalid\)$/,
  ),
  refused({ rateLimit: { maxRequests: -1 } }, 'RangeError', /maxRequests .* got -1/),
  refused(
    { concurrency: { maxConcurent: 1 } as never },
    'GuardConfigError',
    /"maxConcurent" in concurrency, did you mean "maxConcurrent"/,
  ),
  refused({ timeout: { executeMs: 0 } }, 'RangeError', /executeMs must be positive, got 0/),
  refused({ rateLimit: true as never }, 'GuardConfigError', /rateLimit .* got true/),
  refused({ entity: '' }, 'GuardConfigError', /entity must be a non-empty string, got ""/),
  refused({ headers: 'draft-99' }, 'GuardConfigError', /draft-99/),
  refused({ trustedProxyDepth: 0 }, 'GuardConfigError', /trustedProxyDepth .* got 0/),
  refused({ maxOverrunMs: -1 }, 'RangeError', /maxOverrunMs .* got -1/),
  refused({ failOpen: 'no' as never }, 'GuardConfigError', /failOpen must be a boolean, got "no"/),
  {
    ...refused({ trustProxy: 1 as never }, 'GuardConfigError', /trustProxy .* got 1/),
    name: 'options that cannot be followed are an error before the guard is there',
    giveGuard: (manager) => Promise.resolve(manager),
  },
];
