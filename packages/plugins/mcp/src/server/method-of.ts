interface ZodLike {
  readonly shape?: unknown;
  readonly value?: unknown;
  readonly _def?: { readonly shape?: unknown; readonly value?: unknown; readonly values?: unknown };
  readonly _zod?: { readonly def?: ZodLike['_def'] };
}

/**
 * The method that a request handler is set for: v2 names it, v1 gives a schema of zod 3 or 4 whose field `method` is a
 * literal. Undefined when it cannot be told.
 */
export function methodOf(first: unknown): string | undefined {
  if (typeof first === 'string') return first;
  const field = shapeOf(first)['method'];
  const { value, _def, _zod } = asZod(field);
  const def = _zod?.def ?? _def;
  const values: unknown[] = Array.isArray(def?.values) ? def.values : [];
  return [def?.value, values[0], value].find((found) => typeof found === 'string');
}

function shapeOf(schema: unknown): Readonly<Record<string, unknown>> {
  const { shape, _def, _zod } = asZod(schema);
  const found = _zod?.def?.shape ?? _def?.shape ?? shape;
  const made: unknown = typeof found === 'function' ? (found as () => unknown)() : found;
  return typeof made === 'object' && made !== null ? (made as Record<string, unknown>) : {};
}

function asZod(value: unknown): ZodLike {
  return typeof value === 'object' && value !== null ? value : {};
}
