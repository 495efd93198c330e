import type { McpGuardOptions } from '../src/mcp-guard-options.ts';
import type { World } from './world.ts';

/** Text that a tool answers. */
export type ToolAnswer = { content: { type: 'text'; text: string }[] };

/** How the server of a test is guarded; as JSON for a process of its own. */
export type FixtureOptions = McpGuardOptions;

/** When a server is guarded: before anything is registered, after it, or with the handlers that the capabilities bring. */
export type Moment = 'first' | 'last' | 'up front';

export type Tool = (signal: AbortSignal, extra: unknown) => Promise<ToolAnswer>;

/** The tools by which a test steers those under test. Nothing guards them. */
const STEERING = {
  release: false,
  'one-inside': false,
  'none-inside': false,
  'two-arrived': false,
  'one-cancelled': false,
  entered: false,
} as const;

/** The options of a test with what the fixture needs. */
export function fixtureOptions(world: World, options: FixtureOptions): FixtureOptions {
  return {
    ...options,
    tools: { ...options.tools, ...STEERING },
    context: (call) => {
      world.arrive(signalOf(call.extra));
      return options.context?.(call);
    },
  };
}

function signalOf(extra: unknown): AbortSignal {
  const { signal, mcpReq } = extra as { signal?: AbortSignal; mcpReq?: { signal: AbortSignal } };
  return (mcpReq?.signal ?? signal)!;
}

/** The tools that a server of either SDK has. */
export function toolsOf(world: World): Readonly<Record<string, Tool>> {
  const say = (text: string): ToolAnswer => ({ content: [{ type: 'text', text }] });
  return {
    quick: async () => say('done'),
    other: async () => say('done'),
    /** Listens to its signal. */
    hold: (signal) =>
      world.enter(async () => {
        await world.gate(signal);
        return say('held');
      }),
    /** Does not. */
    stubborn: () =>
      world.enter(async () => {
        await world.gate();
        return say('held');
      }),
    fail: async () => {
      throw new Error('broken');
    },
    release: async () => {
      world.release();
      return say('released');
    },
    'one-inside': async () => {
      await world.inside(1);
      return say('one');
    },
    'two-arrived': async () => {
      await world.arrived(2);
      return say('two');
    },
    'one-cancelled': async () => {
      await world.cancelled(1);
      return say('cancelled');
    },
    entered: async () => say(String(world.entered)),
    'none-inside': async () => {
      await world.inside(0);
      return say('none');
    },
  };
}
