import { sha1 } from './sha1.js';

/** A script, and the name that Redis caches it by. */
export class RedisScript {
  readonly source: string;
  #sha: string | undefined = undefined;

  constructor(source: string) {
    this.source = source;
  }

  /** The SHA-1 of the source, in hex; worked out when it is needed for the first time. */
  get sha(): string {
    return (this.#sha ??= sha1(this.source));
  }
}
