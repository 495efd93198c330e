import type { SetOptions } from '@frontmcp/guard-core';

import { assertValue } from '../assert-value.js';
import { ttlMsOf } from '../set-options.js';

/**
 * SET of a value with the expiry that the options ask for, without their conditions.
 *
 * @throws TypeError unless the value is a string.
 * @throws RangeError unless the time to live is one.
 */
export function setCommand(key: string, value: string, options: SetOptions | undefined): string[] {
  assertValue(value, key);
  const ttlMs = ttlMsOf(options);
  const command = ['SET', key, value];
  if (ttlMs !== undefined) command.push('PX', String(ttlMs));
  return command;
}
