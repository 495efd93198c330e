import { readVariable } from './environment.js';
import type { BackendType } from './storage-config.js';

/** A backend, and what picked it. */
export interface DetectedBackend {
  readonly type: BackendType;
  /** The environment variables that picked it, for messages; undefined when none did. */
  readonly pickedBy: string | undefined;
}

interface Rule {
  readonly type: BackendType;
  /** All of them have to be set. */
  readonly variables: readonly string[];
}

/** In order: the first that holds wins. */
const RULES: readonly Rule[] = [
  { type: 'upstash', variables: ['UPSTASH_REDIS_REST_URL', 'UPSTASH_REDIS_REST_TOKEN'] },
  { type: 'vercel-kv', variables: ['KV_REST_API_URL', 'KV_REST_API_TOKEN'] },
  { type: 'redis', variables: ['REDIS_URL'] },
  { type: 'redis', variables: ['REDIS_HOST'] },
];

/** The backend that the environment names; memory when it names none. An empty variable is not set. */
export function detectBackend(): DetectedBackend {
  const isSet = (name: string): boolean => (readVariable(name) ?? '') !== '';
  const rule = RULES.find(({ variables }) => variables.every(isSet));
  if (rule === undefined) return { type: 'memory', pickedBy: undefined };
  return { type: rule.type, pickedBy: rule.variables.join(' and ') };
}
