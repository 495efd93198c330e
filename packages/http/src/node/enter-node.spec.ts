import { createGuardManager, type GuardConfig, type GuardManager } from '@frontmcp/guard-manager';

import { fakeExchange } from '../../test/fake-exchange.js';
import { HttpGuard } from '../guard/http-guard.js';
import { enterNode } from './enter-node.js';

let manager: GuardManager | undefined;

afterEach(() => manager?.destroy());

async function enter(config: Omit<GuardConfig, 'enabled'>) {
  manager = await createGuardManager({ config: { enabled: true, ...config } });
  const exchange = fakeExchange();
  const { response, socket } = exchange;
  const outcome = enterNode(new HttpGuard<[]>({ guard: manager }, 'guardTest'), {
    input: [],
    request: { headers: {}, socket },
    response,
    fields: response,
    ip: undefined,
    limits: undefined,
    refuse: () => Promise.reject(new Error('Refused')),
    fail: (error) => error,
  });
  return { outcome, exchange };
}

async function listeners(config: Omit<GuardConfig, 'enabled'>): Promise<number[]> {
  const { outcome, exchange } = await enter(config);
  expect((await outcome)?.kind).toBe('admitted');
  const { response, socket } = exchange;
  return [response.listenerCount('close'), socket.listenerCount('close')];
}

describe('enterNode', () => {
  test('listens to nothing when nothing is held', async () => {
    expect(await listeners({ defaultRateLimit: { maxRequests: 9 } })).toEqual([0, 0]);
  });

  test('listens to the end of a request that holds a slot, or has a timeout', async () => {
    expect(await listeners({ defaultConcurrency: { maxConcurrent: 1 } })).toEqual([1, 1]);
    expect(await listeners({ defaultTimeout: { executeMs: 60_000 } })).toEqual([1, 1]);
  });

  test.each([new Error('No key'), undefined, 'route'])(
    'rejects with an error for %p that was thrown at once',
    async (thrown) => {
      const partitionBy = (): string => {
        throw thrown as Error;
      };
      const { outcome } = await enter({ defaultRateLimit: { maxRequests: 1, partitionBy } });
      expect(outcome).toBeInstanceOf(Promise);
      const error: unknown = await Promise.resolve(outcome).catch((reason: unknown) => reason);
      if (thrown instanceof Error) expect(error).toBe(thrown);
      else expect(error).toMatchObject({ name: 'TypeError', cause: thrown });
    },
  );
});
