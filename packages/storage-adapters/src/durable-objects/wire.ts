import { typeName } from '../type-name.js';

/** The key of an object that stands for something JSON cannot say, and the start of the keys that look like it. */
const MARK = '%';

/**
 * Plain data as JSON that keeps every number and undefined: what JSON cannot say becomes `{"%":"Infinity"}`, also `NaN`, `-0` and
 * `undefined`, and a key that begins with `%` gets another one put before it, so that nothing else looks like that.
 *
 * @throws TypeError for what is not plain data: a bigint, a Map, a function.
 */
export function encode(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    switch (typeof each) {
      case 'number':
        return Number.isFinite(each) && !Object.is(each, -0)
          ? each
          : { [MARK]: nameOfNumber(each) };
      case 'undefined':
        return { [MARK]: 'undefined' };
      case 'string':
      case 'boolean':
        return each;
      case 'object':
        if (each === null || Array.isArray(each)) return each;
        if (Object.prototype.toString.call(each) === '[object Object]') return escapeKeys(each);
    }
    throw new TypeError(`Only plain data can be sent to a Durable Object, not a ${typeName(each)}`);
  });
}

/** @throws SyntaxError for what {@link encode} did not make. */
export function decode(text: string): unknown {
  return JSON.parse(text, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each) ? unescapeKeys(each) : each,
  );
}

function nameOfNumber(value: number): string {
  return value === 0 ? '-0' : String(value);
}

function escapeKeys(value: object): object {
  if (!Object.keys(value).some(isMarked)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]: [string, unknown]) => [
      isMarked(key) ? MARK + key : key,
      each,
    ]),
  );
}

/** Where an `undefined` stood, a reviver leaves nothing: a property of an object goes, which reads the same. */
function unescapeKeys(value: object): unknown {
  if (!Object.keys(value).some(isMarked)) return value;
  const entries = Object.entries(value);
  const [first] = entries as [[string, unknown]];
  if (entries.length === 1 && first[0] === MARK) {
    return first[1] === 'undefined' ? undefined : Number(first[1]);
  }
  return Object.fromEntries(
    entries.map(([key, each]: [string, unknown]) => [isMarked(key) ? key.slice(1) : key, each]),
  );
}

function isMarked(key: string): boolean {
  return key.startsWith(MARK);
}
