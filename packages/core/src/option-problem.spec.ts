import { optionProblem } from './option-problem.js';

const problem = (options: unknown): TypeError | undefined =>
  optionProblem(options as object, ['signal', 'maxQueue'], 'acquire');

describe('optionProblem', () => {
  test.each([undefined, null, {}, { signal: undefined }, { maxQueue: 1, signal: 2 }])(
    'finds nothing wrong with %j',
    (options) => {
      expect(problem(options)).toBeUndefined();
    },
  );

  test('names an option that nobody reads, and those that are read', () => {
    expect(problem({ signal: 1, maxQeue: 1 })).toEqual(
      new TypeError('Unknown option "maxQeue" of acquire, which takes signal, maxQueue'),
    );
  });

  test('does not look at what is inherited', () => {
    expect(problem(Object.create({ other: 1 }))).toBeUndefined();
  });

  test.each([
    [5, 'number'],
    ['text', 'string'],
    [true, 'boolean'],
  ])('says that %j is no object', (options, kind) => {
    expect(problem(options)).toEqual(
      new TypeError(`The options of acquire must be an object, got ${kind}`),
    );
  });
});
