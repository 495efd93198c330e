import { createGuardManager, type GuardConfig, type GuardManager } from '@frontmcp/guard-manager';

import { fakeExchange } from '../../test/fake-exchange.js';
import { HttpGuard } from '../guard/http-guard.js';
import { enterNode } from './enter-node.js';

let manager: GuardManager | undefined;

afterEach(() => manager?.destroy());

async function listeners(config: Omit<GuardConfig, 'enabled'>): Promise<number[]> {
  manager = await createGuardManager({ config: { enabled: true, ...config } });
  const { response, socket } = fakeExchange();
  const outcome = await enterNode(new HttpGuard<[]>({ guard: manager }, 'guardTest'), {
    input: [],
    request: { headers: {}, socket },
    response,
    fields: response,
    ip: undefined,
    limits: undefined,
    refuse: () => Promise.reject(new Error('Refused')),
    fail: (error) => error,
  });
  expect(outcome?.kind).toBe('admitted');
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
});
