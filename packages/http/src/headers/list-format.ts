import type { FieldFormat } from './field-format.js';
import { headerInteger } from './header-integer.js';
import { headerString } from './header-string.js';
import type { QuotaPolicy, QuotaState } from './quota.js';
import { wholeSeconds } from './whole-seconds.js';

/**
 * `RateLimit-Policy` and `RateLimit` as lists of named items, draft-ietf-httpapi-ratelimit-headers-08 and later: every policy and every
 * state. Nothing is said of a policy without a finite quota, nor of a state of one or without a finite remainder.
 *
 * @param semicolon What stands before a parameter. White space after it means nothing to a parser of structured fields.
 */
export function listFormat(semicolon: ';' | '; '): FieldFormat {
  const policyItem = ({ name, quota, unit, windowMs }: QuotaPolicy): string => {
    const q = headerInteger(quota);
    if (q === undefined) return '';
    let item = `${quoted(name)}${semicolon}q=${q}`;
    if (unit !== undefined) item += `${semicolon}qu=${headerString(unit)}`;
    const w = wholeSeconds(windowMs, 1);
    return w === undefined ? item : `${item}${semicolon}w=${w}`;
  };
  const stateItem = ({ policy, remaining, resetMs, refused }: QuotaState): string => {
    const r = headerInteger(remaining);
    if (r === undefined || !Number.isFinite(policy.quota)) return '';
    const item = `${quoted(policy.name)}${semicolon}r=${r}`;
    const t = wholeSeconds(resetMs, refused === true ? 1 : 0);
    return t === undefined ? item : `${item}${semicolon}t=${t}`;
  };
  return {
    fields: ['RateLimit-Policy', 'RateLimit'],
    policies(policies) {
      const list = joinItems(policies, policyItem);
      return list === '' ? [] : [['RateLimit-Policy', list]];
    },
    states(states) {
      const list = joinItems(states, stateItem);
      return list === '' ? [] : [['RateLimit', list]];
    },
  };
}

const MOST_KEPT = 1_000;
const kept = new Map<string, string>();

/** The name of a limit. Most are said in every response, so that some are kept. */
function quoted(name: string): string {
  const known = kept.get(name);
  if (known !== undefined) return known;
  const text = headerString(name);
  if (kept.size < MOST_KEPT) kept.set(name, text);
  return text;
}

function joinItems<T>(values: readonly T[], write: (value: T) => string): string {
  let list = '';
  for (const value of values) {
    const item = write(value);
    if (item !== '') list += list === '' ? item : `, ${item}`;
  }
  return list;
}
