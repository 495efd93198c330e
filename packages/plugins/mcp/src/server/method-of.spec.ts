import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import * as mini from 'zod/mini';

import { methodOf } from './method-of.js';

test.each<[string, unknown, string | undefined]>([
  ['a name', 'tools/call', 'tools/call'],
  ['a schema of the SDK', CallToolRequestSchema, 'tools/call'],
  ['a schema of zod 4', z.object({ method: z.literal('a') }), 'a'],
  ['a schema of zod mini', mini.object({ method: mini.literal('a') }), 'a'],
  ['a schema of zod 3', z3.object({ method: z3.literal('a') }), 'a'],
  ['a schema whose method is no literal', z.object({ method: z.string() }), undefined],
  ['a schema without a method', z.object({}), undefined],
  ['nothing', undefined, undefined],
])('%s', (_what, first, method) => {
  expect(methodOf(first)).toBe(method);
});
