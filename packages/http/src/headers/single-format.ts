import type { FieldFormat } from './field-format.js';
import type { HeaderField } from './header-field.js';
import { headerInteger } from './header-integer.js';
import { mostRestrictive } from './most-restrictive.js';
import type { QuotaPolicy } from './quota.js';
import { wholeSeconds } from './whole-seconds.js';

/** The most restrictive state in the numbers of a header. */
interface Numbers {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds from now. */
  readonly reset: number | undefined;
  /** Milliseconds from now, at least 1 when the state refused. */
  readonly resetMs: number | undefined;
}

type Write = (numbers: Numbers, nowMs: number | undefined) => HeaderField[];

/** `RateLimit-Policy: 100;w=60` and `RateLimit: limit=100, remaining=9, reset=30`, draft-ietf-httpapi-ratelimit-headers-07. */
export const draft7Format: FieldFormat = {
  fields: ['RateLimit-Policy', 'RateLimit'],
  policies: windowPolicies,
  states: single(({ limit, remaining, reset }) => [
    [
      'RateLimit',
      `limit=${limit}, remaining=${remaining}${reset === undefined ? '' : `, reset=${reset}`}`,
    ],
  ]),
};

/** The fields of draft-ietf-httpapi-ratelimit-headers-06. */
export const draft6Format: FieldFormat = {
  fields: ['RateLimit-Policy', ...threeFields('RateLimit')],
  policies: windowPolicies,
  states: single(({ limit, remaining, reset }) => three('RateLimit', limit, remaining, reset)),
};

/** `X-RateLimit-*` with the seconds until the reset. */
export const xRateLimitFormat: FieldFormat = {
  fields: threeFields('X-RateLimit'),
  policies: () => [],
  states: single(({ limit, remaining, reset }) => three('X-RateLimit', limit, remaining, reset)),
};

/** `X-RateLimit-*` with the time of the reset, in seconds since 1970. */
export const xRateLimitEpochFormat: FieldFormat = {
  fields: threeFields('X-RateLimit'),
  policies: () => [],
  states: single(({ limit, remaining, resetMs }, nowMs = Date.now()) => {
    const epoch = resetMs === undefined ? undefined : wholeSeconds(nowMs + resetMs, 0);
    return three('X-RateLimit', limit, remaining, epoch);
  }),
};

/** All windows, each once: these drafts have lists of policies, without names, and want a window and different items. */
function windowPolicies(policies: readonly QuotaPolicy[]): HeaderField[] {
  const items = new Set<string>();
  for (const { quota, unit, windowMs } of policies) {
    const limit = headerInteger(quota);
    const window = wholeSeconds(windowMs, 1);
    if (unit !== undefined || limit === undefined || window === undefined) continue;
    items.add(`${limit};w=${window}`);
  }
  return items.size === 0 ? [] : [['RateLimit-Policy', [...items].join(', ')]];
}

function single(write: Write): FieldFormat['states'] {
  return (states, nowMs) => {
    const state = mostRestrictive(states);
    const limit = headerInteger(state?.policy.quota ?? NaN);
    const remaining = headerInteger(state?.remaining ?? NaN);
    if (state === undefined || limit === undefined || remaining === undefined) return [];
    const least = state.refused === true ? 1 : 0;
    const resetMs = state.resetMs === undefined ? undefined : Math.max(least, state.resetMs);
    return write({ limit, remaining, resetMs, reset: wholeSeconds(resetMs, 0) }, nowMs);
  };
}

function threeFields(prefix: string): string[] {
  return [`${prefix}-Limit`, `${prefix}-Remaining`, `${prefix}-Reset`];
}

function three(
  prefix: string,
  limit: number,
  remaining: number,
  reset: number | undefined,
): HeaderField[] {
  const fields: HeaderField[] = [
    [`${prefix}-Limit`, String(limit)],
    [`${prefix}-Remaining`, String(remaining)],
  ];
  if (reset !== undefined) fields.push([`${prefix}-Reset`, String(reset)]);
  return fields;
}
