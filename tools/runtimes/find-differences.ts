/**
 * Where two pieces of plain data differ, one line each, by the path to it. `undefined` and a missing
 * property are the same, as they are in JSON.
 */
export function findDifferences(expected: unknown, actual: unknown, path = ''): string[] {
  if (!isObject(expected) || !isObject(actual)) {
    if (Object.is(expected, actual)) return [];
    return [`${path}: expected ${show(expected)}, got ${show(actual)}`];
  }
  const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...keys].flatMap((key) =>
    findDifferences(expected[key], actual[key], path === '' ? key : `${path} › ${key}`),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
