import type { GuardObjectState } from '../../src/durable-objects.js';

/** What a test sees of an object: what its storage holds, and what was written since it was last looked at. */
export interface ObjectReport {
  readonly places: readonly string[];
  readonly alarmInMs: number | null;
  readonly writes: readonly string[];
}

type GuardObjectBase = new (
  state: GuardObjectState,
  env?: unknown,
) => { fetch(request: Request): Promise<Response>; alarm(): Promise<void> };

interface ObjectState extends GuardObjectState {
  abort(reason: string): void;
}

const WRITES = ['put', 'delete', 'deleteAll', 'setAlarm', 'deleteAlarm'];

/** The class, with a door for the test: `/report`, `/abort` to drop it from memory, `/fail` to have its next write fail. */
export function observed(base: GuardObjectBase): GuardObjectBase {
  return class extends base {
    readonly #state: ObjectState;
    readonly #seen: { writes: string[]; failure: string | undefined };

    constructor(state: GuardObjectState, env?: unknown) {
      const seen: { writes: string[]; failure: string | undefined } = {
        writes: [],
        failure: undefined,
      };
      const storage = new Proxy(state.storage, {
        get(target, name: keyof GuardObjectState['storage']) {
          return (...args: never[]) => {
            if (WRITES.includes(name)) {
              seen.writes.push(name);
              const { failure } = seen;
              seen.failure = undefined;
              if (failure !== undefined) return Promise.reject(new Error(failure));
            }
            return (target[name] as (...args: never[]) => unknown).apply(target, args);
          };
        },
      });
      super({ storage }, env);
      this.#state = state as ObjectState;
      this.#seen = seen;
    }

    override async fetch(request: Request): Promise<Response> {
      const { storage } = this.#state;
      switch (new URL(request.url).pathname) {
        case '/report': {
          const alarm = await storage.getAlarm();
          const places = await storage.list({ prefix: '', limit: 100 });
          return Response.json({
            places: [...places.keys()],
            alarmInMs: alarm && alarm - Date.now(),
            writes: this.#seen.writes.splice(0),
          } satisfies ObjectReport);
        }
        case '/abort':
          this.#state.abort('dropped from memory by a test');
          return new Response();
        case '/fail':
          this.#seen.failure = await request.text();
          return new Response();
        default:
          return super.fetch(request);
      }
    }
  };
}
