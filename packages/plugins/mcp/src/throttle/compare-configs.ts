/**
 * How two configurations compare: plain objects and arrays by what is in them, everything else by identity. `remade` when
 * they differ in nothing but functions of one source text, at `path` first.
 */
export type Comparison =
  | { readonly kind: 'same' }
  | { readonly kind: 'different' }
  | { readonly kind: 'remade'; readonly path: string };

const SAME: Comparison = { kind: 'same' };
const DIFFERENT: Comparison = { kind: 'different' };

/** Compares two configurations, see {@link Comparison}. */
export function compareConfigs(one: unknown, other: unknown, path = ''): Comparison {
  if (Object.is(one, other)) return SAME;
  if (typeof one === 'function' && typeof other === 'function') {
    return String(one) === String(other) ? { kind: 'remade', path } : DIFFERENT;
  }
  if (!isPlain(one) || !isPlain(other) || Array.isArray(one) !== Array.isArray(other)) {
    return DIFFERENT;
  }
  let result = SAME;
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const place = path === '' ? key : `${path}.${key}`;
    const compared = compareConfigs(one[key], other[key], place);
    if (compared.kind === 'different') return compared;
    if (result.kind === 'same') result = compared;
  }
  return result;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
