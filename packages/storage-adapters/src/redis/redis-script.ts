/** A script, and the name that Redis caches it by. */
export class RedisScript {
  readonly source: string;
  /** Undefined until it was needed for the first time. */
  sha: string | undefined = undefined;

  constructor(source: string) {
    this.source = source;
  }

  /** The SHA-1 of the source, in hex. */
  async digest(): Promise<string> {
    const bytes = await crypto.subtle.digest('SHA-1', new TextEncoder().encode(this.source));
    this.sha = Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join(
      '',
    );
    return this.sha;
  }
}
