import { createGuardManager, GuardConfigError } from '@frontmcp/guard';
import { errorHelp } from '@frontmcp/guard-core';
import type { GuardManager } from '@frontmcp/guard-manager';

import { guardMcpServer, type McpGuardOptions } from './index.js';

let guard: GuardManager;

beforeAll(async () => {
  guard = await createGuardManager({ config: { enabled: true } });
});

afterAll(() => guard.destroy());

const server = () => ({
  setRequestHandler: () => undefined,
  assertCanSetRequestHandler: () => undefined,
});

const limit = { maxRequests: 1 };

test.each<[Partial<Record<keyof McpGuardOptions | 'tool', unknown>>, string]>([
  [{ guard: undefined }, 'guardMcpServer needs either guard or throttle'],
  [{ throttle: { enabled: true } }, 'guardMcpServer needs either guard or throttle'],
  [{ tool: {} }, 'Unknown key "tool" in the options of guardMcpServer, did you mean "tools"?'],
  [{ tools: [] }, 'tools must be an object, got object'],
  [{ prompts: null }, 'prompts must be an object, got null'],
  [{ tools: { a: undefined } }, 'tools.a must be an object or false, got undefined'],
  [{ tools: { a: true } }, 'tools.a must be an object or false, got boolean'],
  [{ tools: { a: { rate: 1 } } }, 'Unknown key "rate" in tools.a'],
  [{ tools: { a: { rateLimit: { maxRequest: 1 } } } }, 'did you mean "maxRequests"?'],
  [{ prompts: { a: { timeout: { executeMs: 0 } } } }, 'prompts.a is invalid: timeout.executeMs:'],
  [
    { resources: { 'a://b': { concurrency: { maxConcurrent: 1.5 } } } },
    'resources.a://b is invalid: concurrency.maxConcurrent:',
  ],
  [
    { resources: { 'a://{b*}': {} } },
    'Cannot read the URI template "a://{b*}" in resources: only {variable} and {+variable} are known',
  ],
  [{ completions: { rateLimit: {} } }, 'completions is invalid: rateLimit.maxRequests:'],
  [{ refuse: 'throw' }, "refuse must be 'result' or 'error', got throw"],
  [
    { errorCode: -32_000 },
    'errorCode must be an integer outside of -32768 to -32000, or -32023, got -32000',
  ],
  [{ errorCode: -32_768 }, 'got -32768'],
  [{ errorCode: -32_029 }, 'got -32029'],
  [{ errorCode: 4.5 }, 'got 4.5'],
  [
    { trustedProxyDepth: 0 },
    'trustedProxyDepth of the options of guardMcpServer must be a positive integer, got 0',
  ],
  [{ trustProxy: 'yes' }, 'trustProxy of the options of guardMcpServer must be a boolean, got yes'],
  [{ failOpen: 1 }, 'failOpen of the options of guardMcpServer must be a boolean, got 1'],
  [
    { maxOverrunMs: -1 },
    'maxOverrunMs of the options of guardMcpServer must be from 0 to 2147483647, or Infinity, got -1',
  ],
  [{ context: {} }, 'context of the options of guardMcpServer must be a function'],
  [{ onRefused: 'log' }, 'onRefused of the options of guardMcpServer must be a function, got log'],
])('[GM-26] the options %j are refused at once', (options, message) => {
  const act = () => guardMcpServer(server(), { guard, ...options } as never);
  expect(act).toThrow(GuardConfigError);
  expect(act).toThrow(message);
});

test('limits that are wrong are said as their field is called here, with one link at the end', () => {
  const completions = { rateLimit: { ...limit, window: 1_000 } };
  const text = 'unknown key "window" in rateLimit, did you mean "windowMs"?';
  const message = `completions is invalid: ${text} (see ${errorHelp('GUARD_CONFIG_INVALID')})`;
  expect(() => guardMcpServer(server(), { guard, completions })).toThrow(
    expect.objectContaining({ message }) as Error,
  );
});

test('[GM-26] a throttle configuration that is wrong is refused at once', () => {
  const throttle = { enabled: true, globl: limit };
  expect(() => guardMcpServer(server(), { throttle })).toThrow(
    'Guard configuration is invalid: unknown key "globl", did you mean "global"?',
  );
});

test('what is no guard is refused at once', () => {
  expect(() => guardMcpServer(server(), { guard: {} as never })).toThrow(
    new TypeError('guardMcpServer needs a guard manager as guard, got object'),
  );
});

test('[GM-26] good options are taken', () => {
  const options: McpGuardOptions = {
    throttle: { enabled: true, keyPrefix: 'options' },
    tools: { a: { rateLimit: limit, concurrency: false, timeout: false }, b: false, c: {} },
    resources: { 'a://{b}/{+c}': false, 'a://b': {} },
    prompts: {},
    completions: false,
    refuse: 'error',
    errorCode: -32_023,
    maxOverrunMs: Infinity,
    trustedProxyDepth: 2,
  };
  const guarded = server();
  expect(guardMcpServer(guarded, options)).toBe(guarded);
});
