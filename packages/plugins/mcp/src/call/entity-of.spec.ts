import { entityOf, toolEntity } from './entity-of.js';
import { recordToolLimits } from './tool-limits.js';

const registries = { tools: undefined, prompts: undefined };

test('no two things are one entity', () => {
  const names = [
    'export',
    'tools/call',
    'tools/call export',
    'prompts/get',
    'prompts/get export',
    'prompts/getter',
    '',
    'resources/read x',
  ];
  const guard = {};
  const entities = [
    ...names.map(toolEntity),
    ...names.map((key) => entityOf('prompts/get', { key, limits: {} }, guard, registries).entity),
    ...names.map(
      (key) => entityOf('resources/read', { key, limits: {} }, guard, registries).entity,
    ),
    ...(['tools/call', 'prompts/get', 'resources/read', 'completion/complete'] as const).map(
      (method) => entityOf(method, { key: undefined, limits: undefined }, guard, registries).entity,
    ),
  ];
  expect(new Set(entities).size).toBe(entities.length);
  expect(toolEntity('export_tickets')).toBe('export_tickets');
});

test('a server that shows its tools has no entity for others', () => {
  const table: Record<string, object> = { known: {} };
  const shown = { tools: () => table, prompts: () => table };
  const of = (key: string) => entityOf('tools/call', { key, limits: undefined }, {}, shown).entity;
  expect(of('known')).toBe('known');
  expect(of('unknown')).toBe('tools/call');
  expect(of('toString')).toBe('tools/call');
  table['unknown'] = {};
  expect(of('unknown')).toBe('unknown');
  const prompt = entityOf('prompts/get', { key: 'other', limits: undefined }, {}, shown);
  expect(prompt.entity).toBe('prompts/get');
});

test('where names cannot be seen a thousand with each guard count alone, and those that have stay', () => {
  const guard = {};
  const of = (key: string) =>
    entityOf('tools/call', { key, limits: undefined }, guard, registries).entity;
  for (let count = 0; count < 1_000; count += 1) expect(of(`n${count}`)).toBe(`n${count}`);
  expect(of('one-more')).toBe('tools/call');
  expect(of('n7')).toBe('n7');
  expect(entityOf('tools/call', { key: 'one-more', limits: {} }, guard, registries).entity).toBe(
    'one-more',
  );
  expect(
    entityOf('tools/call', { key: 'one-more', limits: undefined }, {}, registries).entity,
  ).toBe('one-more');
});

test('a name of over 128 characters is no name, unless the options have it', () => {
  const long = 'x'.repeat(129);
  const of = (limits: object | undefined) =>
    entityOf('tools/call', { key: long, limits }, {}, registries).entity;
  expect(of(undefined)).toBe('tools/call');
  expect(of({})).toBe(long);
});

test('the limits of a tool are those of its handler, whatever else was made of its name', () => {
  const guard = {};
  const [own, later, elsewhere, otherName] = [{}, {}, {}, {}];
  const limits = (executeMs: number) => ({ timeout: { executeMs } });
  recordToolLimits(guard, 'x', own, limits(1));
  recordToolLimits({}, 'x', elsewhere, limits(2));
  recordToolLimits(guard, 'other', otherName, limits(3));
  recordToolLimits(guard, 'x', later, limits(4));
  const of = (registered: object) =>
    entityOf('tools/call', { key: 'x', limits: undefined }, guard, {
      tools: () => ({ x: registered }),
      prompts: undefined,
    }).limits.timeout;
  expect(of({ handler: own })).toEqual({ executeMs: 1 });
  expect(of({ callback: own })).toEqual({ executeMs: 1 });
  for (const handler of [elsewhere, otherName, later, {}]) {
    expect(of({ handler })).toEqual({ executeMs: 4 });
  }
});
