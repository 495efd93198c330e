/** What is used of a KV namespace: the binding of a Worker, in its environment. */
export interface KvNamespaceBinding {
  getWithMetadata(
    name: string,
    type: 'text',
  ): Promise<{ readonly value: string | null; readonly metadata: unknown }>;
  put(
    name: string,
    value: string,
    options: { readonly expirationTtl?: number; readonly metadata: KvMetadata },
  ): Promise<void>;
  delete(name: string): Promise<void>;
  list(options: { readonly prefix: string; readonly cursor?: string }): Promise<KvPage>;
}

/** What is written beside a value. */
export interface KvMetadata {
  /** When the key is gone, to the millisecond; absent for never. */
  readonly expiresAtMs?: number;
  /** How many UTF-16 units of the value are the key, which is too long for a name. */
  readonly keyLength?: number;
}

/** Some of the names of a namespace. */
export interface KvPage {
  readonly keys: readonly { readonly name: string; readonly metadata?: unknown }[];
  readonly list_complete: boolean;
  /** Where to go on. */
  readonly cursor?: string;
}

export function isKvNamespace(value: unknown): value is KvNamespaceBinding {
  if (typeof value !== 'object' || value === null) return false;
  const methods: (keyof KvNamespaceBinding)[] = ['getWithMetadata', 'put', 'delete', 'list'];
  return methods.every((method) => typeof Reflect.get(value, method) === 'function');
}
