import { Deadlines } from './deadlines.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function begin(deadlines: Deadlines, log: string[], name: string): () => void {
  return deadlines.begin(() => log.push(name));
}

test('each ends when its own time is over, by one timer', () => {
  const log: string[] = [];
  const deadlines = new Deadlines(100);
  begin(deadlines, log, 'a');
  jest.advanceTimersByTime(3);
  begin(deadlines, log, 'b');
  expect(jest.getTimerCount()).toBe(1);
  jest.advanceTimersByTime(96);
  expect(log).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(log).toEqual(['a']);
  jest.advanceTimersByTime(2);
  expect(log).toEqual(['a']);
  jest.advanceTimersByTime(1);
  expect(log).toEqual(['a', 'b']);
  expect(jest.getTimerCount()).toBe(0);
});

test.each([0, 1, 2])(
  'one that is ended does not time out, and the others do: the %dth',
  (index) => {
    const log: string[] = [];
    const deadlines = new Deadlines(100);
    const names = ['a', 'b', 'c'];
    const ends = names.map((name) => begin(deadlines, log, name));
    ends[index]?.();
    ends[index]?.();
    jest.advanceTimersByTime(100);
    expect(log).toEqual(names.filter((_, at) => at !== index));
  },
);

test('to end again what is over does not end what began since', () => {
  const log: string[] = [];
  const deadlines = new Deadlines(100);
  const end = begin(deadlines, log, 'a');
  end();
  begin(deadlines, log, 'b');
  begin(deadlines, log, 'c');
  end();
  jest.advanceTimersByTime(100);
  end();
  expect(log).toEqual(['b', 'c']);
});

test('one that begins in the time-out of another has its whole time', () => {
  const log: string[] = [];
  const deadlines = new Deadlines(100);
  deadlines.begin(() => begin(deadlines, log, 'later'));
  jest.advanceTimersByTime(199);
  expect(log).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(log).toEqual(['later']);
});

test('what is pending times out also after the idle timer was to stop', () => {
  const log: string[] = [];
  const deadlines = new Deadlines(100);
  const end = begin(deadlines, log, 'a');
  begin(deadlines, log, 'b');
  deadlines.stopIdle();
  end();
  jest.advanceTimersByTime(100);
  expect(log).toEqual(['b']);
  deadlines.stopIdle();
  expect(jest.getTimerCount()).toBe(0);
});
