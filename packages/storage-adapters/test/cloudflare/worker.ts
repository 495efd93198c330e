import { addOperation } from '@frontmcp/guard-storage-conformance';
import type { AtomicOperation, AtomicState } from '@frontmcp/guard-core';

import { createGuardObject } from '../../src/durable-objects.js';
import { observed } from './observed-object.js';
import { scenarios, type Scenario } from './scenarios.js';
import type { WorkerEnv } from './worker-env.js';

const echo: AtomicOperation<AtomicState, unknown, unknown> = {
  name: 'test.echo',
  decide: (_, args) => ({ result: args, admitted: true }),
};
const failing: AtomicOperation<AtomicState, unknown, unknown> = {
  name: 'test.failing',
  decide() {
    throw new Error('out of order');
  },
};
const half: AtomicOperation<AtomicState, unknown, unknown> = {
  name: 'test.half',
  decide: (state) => ({
    result: undefined,
    admitted: true,
    commit() {
      Object.assign(state!, { value: 1_000 });
      throw new RangeError('half done');
    },
  }),
};
const nothing: AtomicOperation<AtomicState, unknown, unknown> = {
  name: 'test.nothing',
  decide: () => ({ result: undefined, admitted: true, commit: () => undefined }),
};
const operations = [addOperation, echo, failing, half, nothing];
const indexed = createGuardObject(operations, { indexBinding: 'INDEXED' });
const misbound = createGuardObject(operations, { indexBinding: 'NOBODY' });
const guard = createGuardObject(operations);

export class GuardObject extends observed(guard) {}
export class IndexedGuardObject extends observed(indexed) {}
export class MisboundGuardObject extends misbound {}
export class AlienObject {
  fetch(): Response {
    return new Response('hello');
  }
}

export default {
  async fetch(request: Request, env: WorkerEnv): Promise<Response> {
    const { name, args } = (await request.json()) as { name: string; args: never[] };
    try {
      const run = (scenarios as Readonly<Record<string, Scenario>>)[name];
      return Response.json({ result: await run?.(env, ...args) });
    } catch (error) {
      return Response.json({ error: (error as Error).stack });
    }
  },
};
