import { GuardConfigError, nearestWord } from '@frontmcp/guard-core';
import { z } from 'zod';

import type { GuardConfig } from '../guard-config.js';
import { guardConfigSchema } from './guard-config-schema.js';

/**
 * Checks a configuration against {@link guardConfigSchema} and fills the defaults in.
 *
 * @throws GuardConfigError naming every field that is wrong with its value, and for an unknown key the nearest known one.
 * Values of `storage` are not shown: they may hold a password.
 */
export function parseGuardConfig(config: unknown): GuardConfig {
  const parsed = guardConfigSchema.safeParse(config);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.flatMap((issue) => describeIssue(issue, config));
  throw new GuardConfigError(`Guard configuration is invalid: ${faults.join('; ')}`, {
    cause: parsed.error,
  });
}

function describeIssue(issue: z.core.$ZodIssue, config: unknown): string[] {
  const place = placeOf(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeysAt(issue.path);
    return issue.keys.map((key) => {
      const nearest = nearestWord(key, known);
      const where = place === '' ? '' : ` in ${place}`;
      const hint = nearest === undefined ? '' : `, did you mean "${nearest}"?`;
      return `unknown key "${key}"${where}${hint}`;
    });
  }
  const got = issue.path[0] === 'storage' ? '' : `, got ${showValue(valueAt(config, issue.path))}`;
  return [`${place === '' ? 'it' : place}: ${issue.message}${got}`];
}

/** The issues of zod do not hold the values, so that the cause of the error shows no secret. */
function valueAt(config: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) => (value as Record<PropertyKey, unknown> | null | undefined)?.[part],
    config,
  );
}

function placeOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((place, part) => {
    if (typeof part === 'number') return `${place}[${String(part)}]`;
    return place === '' ? String(part) : `${place}.${String(part)}`;
  }, '');
}

/** The keys that an object at this place of the configuration may have. */
function knownKeysAt(path: readonly PropertyKey[]): string[] {
  let schema: unknown = guardConfigSchema;
  for (const part of path) schema = shapeOf(schema)[String(part)];
  return Object.keys(shapeOf(schema));
}

function shapeOf(schema: unknown): Readonly<Record<string, unknown>> {
  let inner = schema;
  while (inner instanceof z.ZodOptional) inner = inner.unwrap();
  return inner instanceof z.ZodObject ? inner.shape : {};
}

function showValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 64));
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value) ? 'an array' : 'an object';
  return String(value);
}
