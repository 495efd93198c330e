/** What answers in workerd: the same checks, on what is built, bundled as a Worker is. ESM only, as everything there. */
import * as guard from '@frontmcp/guard';
import * as guardObjects from '@frontmcp/guard/durable-objects';
import * as hono from '@frontmcp/guard-hono';
import * as http from '@frontmcp/guard-http';
import * as durableObjects from '@frontmcp/guard-storage-adapters/durable-objects';
import * as conformance from '@frontmcp/guard-storage-conformance';

import type { StorageAdapter } from '@frontmcp/guard-core';

import type { Answer, Question } from './answer.ts';
import type { CheckedStore } from './behaviours/behaviour.ts';
import { observeBehaviours } from './behaviours/behaviours.ts';

export const GuardObject = guardObjects.GuardObject;

/** For the suite of the storage contract, which has an operation of its own, and looks at the index. */
export class SuiteObject extends durableObjects.createGuardObject([conformance.addOperation], {
  indexBinding: 'SUITE',
}) {}

/** What each entry exports, by its name. */
type Entries = Readonly<Record<string, object>>;

interface Env {
  readonly GUARD: guardObjects.DurableObjectNamespaceBinding;
  readonly SUITE: guardObjects.DurableObjectNamespaceBinding;
}

/** The suite has handlers that throw on purpose. */
const quiet = { info: () => undefined, warn: () => undefined };

async function openStore({ store, url, token }: Question, env: Env): Promise<CheckedStore> {
  if (store === 'memory') {
    const open = (): StorageAdapter => guard.createMemoryStorage({ logger: quiet });
    return { storage: open(), open: () => Promise.resolve(open()), without: [] };
  }
  if (store === 'upstash') {
    const open = (): Promise<StorageAdapter> =>
      guard.createStorage({
        type: 'upstash',
        upstash: { url: String(url), token: String(token) },
        fallback: 'error',
        timeoutMs: 30_000,
      });
    return { storage: await open(), open, without: ['pubSub'] };
  }
  const open = (namespace: guardObjects.DurableObjectNamespaceBinding): StorageAdapter =>
    guardObjects.createDurableObjectStorage({ namespace });
  return {
    storage: open(env.GUARD),
    open: () => Promise.resolve(open(env.SUITE)),
    without: ['together', 'pubSub', 'receivers'],
  };
}

async function answer(question: Question, entries: Entries, env: Env): Promise<Answer> {
  const opened = await openStore(question, env);
  const seen = {
    entries: Object.fromEntries(
      Object.entries(entries).map(([entry, module]) => [entry, Object.keys(module).sort()]),
    ),
    behaviours: await observeBehaviours('esm', { conformance, guard, hono, http }, opened),
  };
  await opened.storage.disconnect();
  return { version: '', seen: { esm: seen } };
}

/** The Worker that has loaded the given entries. */
export function createWorker(entries: Entries): {
  fetch(request: Request, env: Env): Promise<Response>;
} {
  return {
    async fetch(request, env) {
      const { args } = (await request.json()) as { args: [Question] };
      try {
        return Response.json({ result: await answer(args[0], entries, env) });
      } catch (error) {
        return Response.json({ error: (error as Error).stack });
      }
    },
  };
}
