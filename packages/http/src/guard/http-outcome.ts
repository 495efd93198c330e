import type { GuardPermit } from '@frontmcp/guard-manager';

import type { HeaderSource } from '../client-ip/header-source.js';
import type { HeaderField } from '../headers/header-field.js';
import type { CurrentRequest } from '../request/request-storage.js';
import type { HttpLimits } from './http-guard-options.js';
import type { HttpPermit } from './http-permit.js';
import type { Refusal } from './refusal.js';

/** A request as its framework has it. */
export interface HttpCall<Input extends readonly unknown[]> {
  /** What the framework calls a handler with. */
  readonly input: Input;
  /** The address of the other end of the connection. */
  readonly remoteAddress: string | undefined;
  /** The client as the framework knows it, by its own trust in proxies. Goes before `remoteAddress` unless there are `trustedProxies`. */
  readonly ip?: string | undefined;
  /** The headers of the request. */
  readonly headers: HeaderSource;
  /** The limits of the route, which go before those of the options, field by field; `false` leaves the request unguarded. */
  readonly limits?: HttpLimits | false | undefined;
  /** Aborts when the client goes away. Asked for only when somebody needs it. */
  signal(): AbortSignal;
}

/** A request that was admitted. */
export interface Admitted {
  /** Tells it apart. */
  readonly kind: 'admitted';
  /** What the handler runs in, see `runInRequest`. */
  readonly current: CurrentRequest & { readonly permit: GuardPermit };
  /** To be released when the response has ended. */
  readonly permit: HttpPermit;
  /** What the response says of the limits. */
  readonly headers: readonly HeaderField[];
  /** Whether the request has a timeout: then its end has to be waited for on `permit.ownSignal`. */
  readonly isTimed: boolean;
  /** Whether anything is held or armed until `permit.release`: a slot or a timeout. */
  readonly isHeld: boolean;
  /** How long a slot is held for a handler that goes on after its request has ended, in ms. */
  readonly maxOverrunMs: number;
  /** The answer to an error of the guard that comes after the admission. @throws the error when it is no refusal. */
  refuse(error: unknown): Refusal;
}

/** A request that nothing guards. */
export interface Skipped {
  /** Tells it apart. */
  readonly kind: 'skipped';
  /** What the handler runs in, see `runInRequest`: it has the permit of a guard around this one, if there is one. */
  readonly current: CurrentRequest;
}

/** What became of a request at the guard. */
export type HttpOutcome =
  /** The client went away while its request waited: there is nobody to answer. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | Skipped
  | Admitted;
