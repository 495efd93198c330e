import { Outage } from './outage.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function setUp() {
  const lines: string[] = [];
  const note = (line: string): void => void lines.push(line);
  return { outage: new Outage({ info: note, warn: note }), lines };
}

const BEGUN = 'Calls are admitted without their limits, "one" first: storage cannot be reached';
const ENDED = 'Calls are admitted by their limits again';

test('is said once, and its end once', () => {
  const { outage, lines } = setUp();
  outage.end();
  outage.begin('one', new Error('away'));
  outage.begin('two', new Error('away'));
  expect(lines).toEqual([BEGUN]);
  jest.advanceTimersByTime(1_000);
  outage.end();
  outage.end();
  expect(lines).toEqual([BEGUN, ENDED]);
});

test('is one for as long as calls fail and succeed in turn', () => {
  const { outage, lines } = setUp();
  for (let turn = 0; turn < 100; turn++) {
    outage.begin('one', new Error('away'));
    jest.advanceTimersByTime(999);
    outage.end();
  }
  expect(lines).toEqual([BEGUN]);
  jest.advanceTimersByTime(1);
  outage.end();
  outage.begin('one', new Error('away'));
  expect(lines).toEqual([BEGUN, ENDED, BEGUN]);
});
