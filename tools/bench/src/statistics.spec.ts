import { costRows, pairedRatio, quantile, speedRows, spread } from './statistics.ts';

const floor = { name: 'floor', nsPerCall: [100, 200, 300], cpuNsPerCall: [10, 20, 30] };
const ours = { name: '@frontmcp/x', nsPerCall: [200, 400, 900], cpuNsPerCall: [5, 10, 15] };

test('quantile takes a value that was measured', () => {
  expect([0, 0.5, 0.9, 1].map((q) => quantile([4, 1, 3, 2, 5], q))).toEqual([1, 3, 5, 5]);
  expect(quantile([], 0.5)).toBeNaN();
});

test('a ratio is paired within a rotation, so that a change of the machine cancels out', () => {
  expect(pairedRatio([2, 20, 200], [1, 10, 100])).toBe(2);
});

test('a spread is the 10th percentile, the median and the 90th', () => {
  const values = Array.from({ length: 11 }, (_, i) => i * 10);
  expect(spread('peer', values)).toEqual({
    name: 'peer',
    ours: false,
    low: 10,
    median: 50,
    high: 90,
  });
});

test('costs are divided by the floor, and ours are known by their scope', () => {
  expect(costRows(floor, [floor, ours])).toMatchObject([
    { name: 'floor', ours: false, median: 200, ratio: 1 },
    { name: '@frontmcp/x', ours: true, median: 400, ratio: 2 },
  ]);
});

test('speeds are those of the floor divided by the time, in microseconds', () => {
  expect(speedRows(floor, [ours])).toMatchObject([
    { median: 0.4, ratio: 0.5, extra: { 'calls/s': 2_500_000, 'client CPU × floor': 0.5 } },
  ]);
});
