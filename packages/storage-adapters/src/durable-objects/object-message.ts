import {
  GuardConfigError,
  GuardStorageUnavailableError,
  GuardStorageUnsupportedError,
} from '@frontmcp/guard-core';

import { decode, encode } from './wire.js';

/** What an object is asked to do. */
export interface ObjectCall {
  /** The name of a method of the storage contract, or of the index. */
  readonly call: string;
  readonly key: string;
  readonly args: readonly unknown[];
}

/** The errors that say that the call was wrong, and not the store: they come back as what they are. */
const REFUSALS = {
  TypeError,
  RangeError,
  GuardConfigError,
  GuardStorageUnsupportedError,
} as const;

type RefusalName = keyof typeof REFUSALS;

interface ObjectReply {
  readonly isAnswer: boolean;
  readonly result: unknown;
  readonly name: RefusalName | null;
  readonly message: string;
}

/** @throws TypeError for arguments that are not plain data. */
export function writeCall(call: ObjectCall): string {
  return encode(call);
}

/** @throws TypeError for what is no call. */
export function readCall(text: string): ObjectCall {
  const given = decodeOrNull(text);
  if (typeof given === 'object' && given !== null) {
    const { call, key, args } = given as Record<keyof ObjectCall, unknown>;
    if (typeof call === 'string' && typeof key === 'string' && Array.isArray(args)) {
      return { call, key, args };
    }
  }
  throw new TypeError('A guard object answers the calls of createDurableObjectStorage only');
}

export function writeResult(result: unknown): string {
  return encode({ isAnswer: true, result });
}

export function writeFailure(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return encode({ isAnswer: false, name: refusalName(error) ?? null, message });
}

/** Whether the call was wrong, and not the object. */
export function isRefusal(error: unknown): boolean {
  return refusalName(error) !== undefined;
}

/**
 * What the object answered.
 *
 * @throws What it refused the call with. GuardStorageUnavailableError when it failed, or the answer is none of an object.
 */
export function readReply(text: string, status: number): unknown {
  const reply = decodeOrNull(text) as Partial<ObjectReply> | null;
  if (reply?.isAnswer === true) return reply.result;
  if (reply?.isAnswer !== false) {
    throw new GuardStorageUnavailableError(
      `What answered with status ${status} is no guard object: bind a class that createGuardObject made`,
    );
  }
  const { name, message = 'without a message' } = reply;
  if (typeof name === 'string' && Object.hasOwn(REFUSALS, name)) throw new REFUSALS[name](message);
  throw new GuardStorageUnavailableError('The Durable Object failed', {
    cause: new Error(message),
  });
}

function refusalName(error: unknown): RefusalName | undefined {
  return (Object.keys(REFUSALS) as RefusalName[]).find((name) => error instanceof REFUSALS[name]);
}

function decodeOrNull(text: string): unknown {
  try {
    return decode(text);
  } catch {
    // Whoever asks says what it should have been.
    return null;
  }
}
