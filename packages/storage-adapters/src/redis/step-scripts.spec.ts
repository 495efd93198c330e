import { StepScripts } from './step-scripts.js';

const port = { clock: undefined, knowsReceivers: true } as ConstructorParameters<
  typeof StepScripts
>[0];
const step = (source: string, ...args: string[]) => ({ source, args });

test('steps in a row that ask for the same are one call', () => {
  const { args } = new StepScripts(port).each([
    step('a', '1', '2'),
    step('a', '1', '2'),
    step('a', '1', '3'),
    step('a', '1', '2'),
    step('a', '1'),
    step('b', '1'),
    step('b', '1'),
    step('c'),
    step('c'),
  ]);
  expect(args.slice(0, 9)).toEqual(['1', '1', '2', '3', '4', '5', '5', '6', '6']);
  expect(args.slice(9)).toEqual(
    ['1 2 1 2', '1 2 1 3', '1 2 1 2', '1 1 1', '2 1 1', '3 0'].flatMap((call) => call.split(' ')),
  );
});

test('scripts of the same sources are one', () => {
  const scripts = new StepScripts(port);
  const of = (...steps: ReturnType<typeof step>[]) => scripts.each(steps).composed;
  expect(of(step('a', '1'), step('b'))).toBe(of(step('a', '2'), step('b'), step('a', '3')));
  expect(of(step('a'), step('b'))).not.toBe(of(step('b'), step('a')));
  expect(of(step('a'))).not.toBe(scripts.together([step('a')]).composed);
});
