import { DEFAULT_KEY_PREFIX, DEFAULT_WINDOW_MS, type GuardConfig } from './guard-config.js';

/** Stands for a value that is not surely right. */
const UNSURE = Symbol('unsure');

/** What becomes of a value of the configuration. Of an absent field it gets `undefined`. */
type Reader = (value: unknown) => unknown;

/**
 * Reads a configuration that is surely right: the same as `parseGuardConfig` makes of it, without zod, whose import takes longer
 * than everything else between the start of a process and its first decision.
 *
 * @returns Undefined for a configuration that may be wrong. What is wrong, if anything, is for `parseGuardConfig` to say.
 */
export function readGuardConfig(config: unknown): GuardConfig | undefined {
  const read = guard(config);
  return read === UNSURE ? undefined : (read as GuardConfig);
}

/** A plain object with these fields and no others. */
function object(fields: Readonly<Record<string, Reader>>): Reader {
  return (value) => {
    if (!isPlain(value)) return UNSURE;
    for (const key of Reflect.ownKeys(value)) {
      if (typeof key !== 'string' || !Object.hasOwn(fields, key)) return UNSURE;
    }
    const read: Record<string, unknown> = {};
    for (const [key, reader] of Object.entries(fields)) {
      const field = reader(value[key]);
      if (field === UNSURE) return UNSURE;
      if (field !== undefined) read[key] = field;
    }
    return read;
  };
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A value that passes. */
function field(passes: (value: unknown) => boolean): Reader {
  return (value) => (passes(value) ? value : UNSURE);
}

/** What is there, or a value in the place of what is not. */
function orElse(reader: Reader, ifAbsent: unknown): Reader {
  return (value) => (value === undefined ? ifAbsent : reader(value));
}

function optional(reader: Reader): Reader {
  return orElse(reader, undefined);
}

/** One of a few texts. */
function oneOf(...texts: readonly string[]): (value: unknown) => boolean {
  return (value) => texts.includes(value as string);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isPositive(value: unknown): boolean {
  return isCount(value) && value !== 0;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isFlag(value: unknown): boolean {
  return typeof value === 'boolean';
}

/** The options of a client, which are copied, one level deep. */
const clientOptions: Reader = (value) =>
  isPlain(value) && Reflect.ownKeys(value).every(isOptionName) ? { ...value } : UNSURE;

function isOptionName(key: unknown): boolean {
  return typeof key === 'string' && key !== '__proto__';
}

/** A list of texts, copied and frozen. */
const texts: Reader = (value) => {
  if (!Array.isArray(value)) return UNSURE;
  const copy: readonly unknown[] = [...(value as unknown[])];
  return copy.every(isText) ? Object.freeze(copy) : UNSURE;
};

const partitionBy = orElse(
  field(
    (value) => typeof value === 'function' || oneOf('ip', 'session', 'userId', 'global')(value),
  ),
  'global',
);

const rateLimit: Reader = (value) => {
  const read = object({
    maxRequests: field(isPositive),
    windowMs: orElse(field(isPositive), DEFAULT_WINDOW_MS),
    partitionBy,
  })(value);
  if (read === UNSURE) return UNSURE;
  const { maxRequests, windowMs } = read as { maxRequests: number; windowMs: number };
  return Number.isSafeInteger(maxRequests * windowMs) ? read : UNSURE;
};

const concurrency = object({
  maxConcurrent: field(isPositive),
  queueTimeoutMs: orElse(field(isCount), 0),
  maxQueue: optional(field(isCount)),
  partitionBy,
});

const text = optional(field(isText));
const reference = field((value) => typeof value === 'object' && value !== null);

const storage = object({
  type: optional(field(oneOf('auto', 'memory', 'redis', 'upstash', 'vercel-kv', 'cloudflare-kv'))),
  redis: optional(
    object({
      url: text,
      config: optional(clientOptions),
      client: optional(reference),
      cluster: optional(clientOptions),
      sentinel: optional(clientOptions),
    }),
  ),
  upstash: optional(object({ url: text, token: text, enablePubSub: optional(field(isFlag)) })),
  vercelKv: optional(object({ url: text, token: text })),
  cloudflareKv: optional(object({ namespace: reference })),
  memory: optional(object({ maxEntries: optional(field(isPositive)) })),
  fallback: optional(field(oneOf('error', 'memory'))),
  timeoutMs: optional(field(isPositive)),
});

const ipFilter = object({
  allowList: optional(texts),
  denyList: optional(texts),
  defaultAction: orElse(field(oneOf('allow', 'deny')), 'allow'),
  trustProxy: orElse(field(isFlag), false),
  trustedProxyDepth: orElse(field(isPositive), 1),
});

const guard = object({
  enabled: field(isFlag),
  storage: optional(storage),
  keyPrefix: orElse(
    field((value) => typeof value === 'string' && value.isWellFormed()),
    DEFAULT_KEY_PREFIX,
  ),
  global: optional(rateLimit),
  globalConcurrency: optional(concurrency),
  defaultRateLimit: optional(rateLimit),
  defaultConcurrency: optional(concurrency),
  defaultTimeout: optional(object({ executeMs: field(isPositive) })),
  ipFilter: optional(ipFilter),
});
