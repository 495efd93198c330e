import { runSoak } from './run-soak.ts';

test('B-42: S-1: S-24: S-27: under faults at random, no limit is exceeded, and nothing is lost or left', async () => {
  const { violations, history, figures } = await runSoak({ seed: 20_261, durationMs: 10_000 });
  expect({ violations, history: violations.length > 0 ? history : [] }).toEqual({
    violations: [],
    history: [],
  });
  expect(figures).toMatchObject({ outcomes: { released: expect.any(Number) as number } });
}, 90_000);
