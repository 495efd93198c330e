import type { GuardConfig, GuardManager } from '@frontmcp/guard';

import type { Behaviour, Report } from './behaviour.ts';
import { refusalOf } from './refusal-of.ts';

const config: GuardConfig = {
  enabled: true,
  global: { maxRequests: 1_000, windowMs: 3_600_000 },
  globalConcurrency: { maxConcurrent: 100 },
  ipFilter: { denyList: ['192.0.2.0/24'] },
};
const limits = {
  rateLimit: { maxRequests: 2, windowMs: 3_600_000, partitionBy: 'userId' },
  concurrency: { maxConcurrent: 1 },
} as const;

export const manager: Behaviour = {
  name: 'manager',
  expected: {
    ran: 'done',
    entered: { global: true, entity: 1 },
    overRate: 'RATE_LIMIT_EXCEEDED 429',
    otherUser: 'admitted',
    overSlots: 'CONCURRENCY_LIMIT 429',
    releasedTwice: 'admitted',
    denied: 'IP_BLOCKED 403',
    late: 'EXECUTION_TIMEOUT 408',
    disabled: 'admitted',
    badConfig: 'GUARD_CONFIG_INVALID 500',
    afterDestroy: 'GUARD_STORAGE_UNAVAILABLE 503',
  },
  async observe({ guard }, { storage }) {
    const create = (own: GuardConfig): Promise<GuardManager> =>
      guard.createGuardManager({
        config: { keyPrefix: `${crypto.randomUUID()}:`, ...own },
        storage,
      });
    const guarded = await create(config);
    const seen = { ...(await observeRates(guarded)), ...(await observeSlots(guarded)) };
    const late = await refusalOf(() =>
      guarded.run('slow', { timeout: { executeMs: 20 } }, (signal) => untilAborted(signal)),
    );
    await guarded.destroy();
    const open = await create({ enabled: false, defaultRateLimit: { maxRequests: 1 } });
    await open.run('any', {}, () => 'done');
    const disabled = await refusalOf(() => open.run('any', {}, () => 'done'));
    await open.destroy();
    return {
      ...seen,
      late,
      disabled,
      badConfig: await refusalOf(() => create({ enabled: true, global: { maxRequests: -1 } })),
      afterDestroy: await refusalOf(() => guarded.enter('any')),
    };
  },
};

async function observeRates(guarded: GuardManager): Promise<Report> {
  const call = (userId: string, clientIp = '203.0.113.5') =>
    guarded.run('export', { ...limits, context: { sessionId: 's', userId, clientIp } }, (signal) =>
      signal.aborted ? 'aborted' : 'done',
    );
  const ran = await call('ada');
  const permit = await guarded.enter('export', {
    ...limits,
    context: { sessionId: 's', userId: 'bob' },
  });
  const { global, entity } = permit.rateLimits;
  await permit.release();
  await call('ada');
  return {
    ran,
    entered: { global: global?.allowed, entity: entity?.remaining },
    overRate: await refusalOf(() => call('ada')),
    otherUser: await refusalOf(() => call('eve')),
    denied: await refusalOf(() => call('joe', '::ffff:192.0.2.7')),
  };
}

async function observeSlots(guarded: GuardManager): Promise<Report> {
  const { concurrency } = limits;
  const permit = await guarded.enter('report', { concurrency });
  const overSlots = await refusalOf(() => guarded.enter('report', { concurrency }));
  await Promise.all([permit.release(), permit.release()]);
  const again = await refusalOf(() => guarded.run('report', { concurrency }, () => 'done'));
  return { overSlots, releasedTwice: again };
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('stopped')));
  });
}
