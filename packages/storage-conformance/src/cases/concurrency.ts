import type { AddResult } from '../add-operation.js';
import { assertEqual } from '../assertions.js';
import { method, type CaseDefinition } from '../conformance-case.js';

function times<T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(index)));
}

const oneTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** In ascending order. */
const sumsAdmitted = (results: readonly AddResult[] = []): number[] =>
  results
    .filter(({ admitted }) => admitted)
    .map(({ value }) => value)
    .sort((a, b) => a - b);

export const concurrencyCases: readonly CaseDefinition[] = [
  {
    name: '1,000 concurrent incr: each number is given once',
    requires: ['atomicPlain'],
    async check({ storage, unique }) {
      const key = unique('counter');
      const given = await times(1000, () => storage.incr(key));
      assertEqual(
        given.sort((a, b) => a - b),
        oneTo(1000),
        'numbers given',
      );
      assertEqual(await storage.get(key), '1000', 'get');
    },
  },
  {
    name: '100 concurrent set ifNotExists: one writes',
    requires: ['atomicPlain'],
    async check({ storage, unique }) {
      const key = unique('key');
      const wrote = await times(100, (index) =>
        storage.set(key, String(index), { ifNotExists: true }),
      );
      assertEqual(wrote.filter(Boolean).length, 1, 'writers');
      assertEqual(await storage.get(key), String(wrote.indexOf(true)), 'get');
    },
  },
  {
    name: '100 concurrent compareAndDelete: one deletes',
    requires: ['compare'],
    async check({ storage, unique }) {
      const key = unique('key');
      await storage.set(key, 'mine');
      const compareAndDelete = method(storage, 'compareAndDelete');
      const deleted = await times(100, () => compareAndDelete(key, 'mine'));
      assertEqual(deleted.filter(Boolean).length, 1, 'deleters');
    },
  },
  {
    name: '100 concurrent execute: nothing comes between a decision and its commit',
    requires: ['atomic'],
    async check({ storage, add, unique }) {
      const key = unique('sum');
      const execute = method(storage, 'execute');
      const args = { amount: 1, max: 60, ttlMs: 60_000 };
      const results = await times(100, () => execute(add, key, args));
      assertEqual(sumsAdmitted(results), oneTo(60), 'sums admitted');
    },
  },
  {
    name: '100 concurrent prepared steps: nothing comes between a decision and its commit',
    requires: ['atomic'],
    async check({ unique, prepareAdd }) {
      const key = unique('sum');
      const [one, other] = [prepareAdd(), prepareAdd()];
      const args = { amount: 1, max: 10, ttlMs: 60_000 };
      const results = await times(100, (index) => (index % 2 === 0 ? one : other)(key, args));
      assertEqual(sumsAdmitted(results), oneTo(10), 'sums admitted');
    },
  },
  {
    name: '100 concurrent executeTogether: nothing comes between the decisions and their commits',
    requires: ['together'],
    async check({ storage, add, unique }) {
      const keys = [unique('{t}a'), unique('{t}b')];
      const executeTogether = method(storage, 'executeTogether');
      const args = { amount: 1, max: 10, ttlMs: 60_000 };
      const calls = keys.map((key) => ({ operation: add, key, args }));
      const results = await times(100, (index) =>
        executeTogether(index % 2 === 0 ? calls : [...calls].reverse()),
      );
      const [first, second] = [0, 1].map((at) => results.map((pair) => pair[at] as AddResult));
      assertEqual(sumsAdmitted(first), oneTo(10), 'sums admitted of the first keys');
      assertEqual(sumsAdmitted(second), oneTo(10), 'sums admitted of the second keys');
    },
  },
];
