/** What workerd runs: the same checks, on what is built, bundled as a Worker is. ESM only, as everything there. */
import * as core from '@frontmcp/guard-core';
import * as guard from '@frontmcp/guard';
import * as guardObjects from '@frontmcp/guard/durable-objects';
import * as hono from '@frontmcp/guard-hono';
import * as http from '@frontmcp/guard-http';
import * as layer from '@frontmcp/guard-http/layer';
import * as ipFilter from '@frontmcp/guard-ip-filter';
import * as manager from '@frontmcp/guard-manager';
import * as schemas from '@frontmcp/guard-manager/schemas';
import * as mcp from '@frontmcp/guard-mcp';
import * as rateLimit from '@frontmcp/guard-rate-limit';
import * as semaphore from '@frontmcp/guard-semaphore';
import * as adapters from '@frontmcp/guard-storage-adapters';
import * as cloudflareKv from '@frontmcp/guard-storage-adapters/cloudflare-kv';
import * as durableObjects from '@frontmcp/guard-storage-adapters/durable-objects';
import * as memory from '@frontmcp/guard-storage-adapters/memory';
import * as redis from '@frontmcp/guard-storage-adapters/redis';
import * as upstash from '@frontmcp/guard-storage-adapters/upstash';
import * as vercelKv from '@frontmcp/guard-storage-adapters/vercel-kv';
import * as conformance from '@frontmcp/guard-storage-conformance';
import * as timeout from '@frontmcp/guard-timeout';

import type { StorageAdapter } from '@frontmcp/guard-core';

import type { Answer, Question } from './answer.ts';
import type { CheckedStore } from './behaviours/behaviour.ts';
import { observeBehaviours } from './behaviours/behaviours.ts';

export const GuardObject = guardObjects.GuardObject;

/** For the suite of the storage contract, which has an operation of its own, and looks at the index. */
export class SuiteObject extends durableObjects.createGuardObject([conformance.addOperation], {
  indexBinding: 'SUITE',
}) {}

const entries: Readonly<Record<string, object>> = {
  '@frontmcp/guard': guard,
  '@frontmcp/guard-core': core,
  '@frontmcp/guard-hono': hono,
  '@frontmcp/guard-http': http,
  '@frontmcp/guard-http/layer': layer,
  '@frontmcp/guard-ip-filter': ipFilter,
  '@frontmcp/guard-manager': manager,
  '@frontmcp/guard-manager/schemas': schemas,
  '@frontmcp/guard-mcp': mcp,
  '@frontmcp/guard-rate-limit': rateLimit,
  '@frontmcp/guard-semaphore': semaphore,
  '@frontmcp/guard-storage-adapters': adapters,
  '@frontmcp/guard-storage-adapters/cloudflare-kv': cloudflareKv,
  '@frontmcp/guard-storage-adapters/durable-objects': durableObjects,
  '@frontmcp/guard-storage-adapters/memory': memory,
  '@frontmcp/guard-storage-adapters/redis': redis,
  '@frontmcp/guard-storage-adapters/upstash': upstash,
  '@frontmcp/guard-storage-adapters/vercel-kv': vercelKv,
  '@frontmcp/guard-storage-conformance': conformance,
  '@frontmcp/guard-timeout': timeout,
  '@frontmcp/guard/durable-objects': guardObjects,
};

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

async function answer(question: Question, env: Env): Promise<Answer> {
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

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { args } = (await request.json()) as { args: [Question] };
    try {
      return Response.json({ result: await answer(args[0], env) });
    } catch (error) {
      return Response.json({ error: (error as Error).stack });
    }
  },
};
