import { sourcesOf, StepScripts, type EncodedStep } from './step-scripts.js';

const port = { clock: undefined, knowsReceivers: true } as ConstructorParameters<
  typeof StepScripts
>[0];
const step = (source: string, ...args: string[]): EncodedStep => ({ source, args });
const each = (scripts: StepScripts, steps: readonly EncodedStep[]) =>
  scripts.each(steps, sourcesOf(steps));

test('steps in a row that ask for the same are one call', () => {
  const { args } = each(new StepScripts(port), [
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

test('scripts of the same sources are one, in whatever order the steps are', () => {
  const scripts = new StepScripts(port);
  const of = (...steps: EncodedStep[]) => each(scripts, steps).composed;
  expect(of(step('a', '1'), step('b'))).toBe(of(step('a', '2'), step('b'), step('a', '3')));
  expect(of(step('a'), step('b'))).toBe(of(step('b'), step('a')));
  expect(scripts.together([step('a'), step('b')]).composed).toBe(
    scripts.together([step('b'), step('a')]).composed,
  );
  expect(of(step('a'), step('b'))).not.toBe(of(step('a')));
  expect(of(step('a'))).not.toBe(scripts.together([step('a')]).composed);
});

test('each step says which source it takes, in the order of the sources', () => {
  const steps = [step('b'), step('a', '1'), step('b')];
  expect(each(new StepScripts(port), steps).args.slice(3)).toEqual('2 0 1 1 1 2 0'.split(' '));
  expect(new StepScripts(port).together(steps).args).toEqual('2 0 1 1 1 2 0'.split(' '));
});
