import type { KvMetadata, KvNamespaceBinding } from './kv-binding.js';
import { DIGEST, keyOfName, kvNameOf } from './kv-name.js';

/** The shortest time after which KV drops a value by itself. */
const MIN_KV_TTL_SECONDS = 60;
/** The longest one that is asked for: what lives longer than 68 years is told apart by its metadata alone. */
const MAX_KV_TTL_SECONDS = 2 ** 31 - 1;

/** What is under a key. */
export interface KvEntry {
  readonly value: string;
  /** Infinity for a key that lives for ever. */
  readonly expiresAtMs: number;
}

/** A key and what is under it. */
export interface KvKeyed {
  readonly key: string;
  readonly name: string;
}

/** The entries of a namespace, each with its exact expiry: KV itself only drops what is a minute old, and later than that. */
export class KvEntries {
  readonly #kv: KvNamespaceBinding;

  constructor(kv: KvNamespaceBinding) {
    this.#kv = kv;
  }

  /** Undefined for an absent or expired one. */
  async read({ name, key }: KvKeyed): Promise<KvEntry | undefined> {
    const { value, metadata } = await this.#kv.getWithMetadata(name, 'text');
    if (value === null) return undefined;
    const { expiresAtMs = Infinity } = (metadata ?? {}) as KvMetadata;
    if (expiresAtMs <= Date.now()) return undefined;
    return { value: name.startsWith(DIGEST) ? value.slice(key.length) : value, expiresAtMs };
  }

  /** Undefined deletes it. */
  async write({ name, key }: KvKeyed, entry: KvEntry | undefined): Promise<void> {
    if (entry === undefined) {
      await this.#kv.delete(name);
      return;
    }
    const { value, expiresAtMs } = entry;
    const isDigest = name.startsWith(DIGEST);
    const seconds = Math.ceil((expiresAtMs - Date.now()) / 1000);
    await this.#kv.put(name, isDigest ? key + value : value, {
      metadata: {
        ...(expiresAtMs !== Infinity && { expiresAtMs }),
        ...(isDigest && { keyLength: key.length }),
      },
      ...(seconds <= MAX_KV_TTL_SECONDS && {
        expirationTtl: Math.max(seconds, MIN_KV_TTL_SECONDS),
      }),
    });
  }

  /** The keys that begin with `prefix`, by their names. Long keys are read one by one, because only their values name them. */
  async list(prefix: string): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const name = await kvNameOf(prefix);
    if (!name.startsWith(DIGEST)) await this.#list(name, found);
    await this.#list(DIGEST, found);
    return found;
  }

  async #list(namePrefix: string, found: Map<string, string>): Promise<void> {
    let cursor: string | undefined;
    do {
      const options = { prefix: namePrefix, ...(cursor !== undefined && { cursor }) };
      const page = await this.#kv.list(options);
      const now = Date.now();
      for (const { name, metadata } of page.keys) {
        const { expiresAtMs = Infinity, keyLength } = (metadata ?? {}) as KvMetadata;
        if (expiresAtMs <= now) continue;
        const key = keyOfName(name) ?? (await this.#readKey(name, keyLength));
        if (key !== undefined) found.set(name, key);
      }
      cursor = page.list_complete ? undefined : page.cursor;
    } while (cursor !== undefined);
  }

  async #readKey(name: string, keyLength: number | undefined): Promise<string | undefined> {
    const { value } = await this.#kv.getWithMetadata(name, 'text');
    return value?.slice(0, keyLength ?? 0);
  }
}
