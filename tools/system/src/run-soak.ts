import {
  startRedis,
  startTcpProxy,
  type RedisServer,
  type TcpProxy,
} from '@frontmcp/guard-services';

import { createRandom, type Random } from './random.ts';
import { viewSemaphore } from './semaphore-view.ts';
import { SoakAccount } from './soak-account.ts';
import { machineNow } from './soak-work.ts';
import { startGuardProcess, type GuardProcess } from './start-guard-process.ts';
import { until } from './until.ts';

export interface SoakOptions {
  readonly seed: number;
  readonly durationMs: number;
  readonly processes?: number;
}

export interface SoakResult {
  /** What must not be and was, each in words; none is good. */
  readonly violations: readonly string[];
  /** What happened last, in order. */
  readonly history: readonly string[];
  /** How often each thing was done, broken, and looked at. */
  readonly figures: Readonly<Record<string, unknown>>;
}

const LEASE_SECONDS = 2;
const SLOTS = [
  { key: 'one', max: 1 },
  { key: 'three', max: 3 },
  { key: 'ten', max: 10 },
] as const;
const RATE = { key: 'rate', max: 60, windowMs: 2_000 } as const;
const CALLERS = 8;
const HISTORY = 60;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A process of the service, its way to the server, and what it is called. */
interface Member {
  readonly name: string;
  readonly proxy: TcpProxy;
  process: GuardProcess;
  work: Promise<void>;
  isRestarting: boolean;
}

/** Processes under faults at random, which a seed decides, and somebody who looks all the time whether the limits hold. */
export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const soak = new Soak(options);
  try {
    return await soak.run();
  } finally {
    await soak.stop();
  }
}

class Soak {
  readonly #options: SoakOptions;
  readonly #random: Random;
  readonly #account = new SoakAccount();
  readonly #violations: string[] = [];
  readonly #history: string[] = [];
  readonly #faults: Record<string, number> = {};
  readonly #members: Member[] = [];
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #startedMs = machineNow();
  #server!: RedisServer;
  #looks = 0;
  #isOver = false;

  constructor(options: SoakOptions) {
    this.#options = options;
    this.#random = createRandom(options.seed);
  }

  async run(): Promise<SoakResult> {
    const { durationMs, processes = 3 } = this.#options;
    this.#server = await startRedis();
    for (let index = 0; index < processes; index++) {
      const proxy = await startTcpProxy(this.#server);
      const process = await this.#start(proxy);
      const name = `process ${index}`;
      const member: Member = { name, proxy, process, work: Promise.resolve(), isRestarting: false };
      this.#members.push(member);
      this.#putToWork(member);
    }
    const observer = this.#observe();
    const untilMs = machineNow() + durationMs;
    while (machineNow() < untilMs && this.#violations.length === 0) {
      this.#break();
      await pause(this.#random.between(100, 1_500));
    }
    await this.#wind();
    this.#isOver = true;
    await observer;
    return {
      violations: this.#violations,
      history: this.#history,
      figures: {
        seconds: Math.round((machineNow() - this.#startedMs) / 1000),
        outcomes: this.#account.counts,
        mostBelieved: this.#account.most,
        faults: this.#faults,
        looks: this.#looks,
        violations: this.#violations.length,
      },
    };
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    for (const { process, proxy } of this.#members) {
      await process.kill();
      await proxy.stop();
    }
    await this.#server.stop();
  }

  #start(proxy: TcpProxy): Promise<GuardProcess> {
    const redis = { url: `redis://127.0.0.1:${proxy.port}` };
    return startGuardProcess({
      storage: { type: 'redis', redis, fallback: 'error' },
      leaseSeconds: LEASE_SECONDS,
      // Another fault may keep it from connecting.
      isPatient: true,
      onEvent: (event) => this.#account.add(event),
    });
  }

  #putToWork(member: Member): void {
    const { process } = member;
    const seed = this.#random.between(0, 2 ** 31);
    member.work = process
      .soak({ seed, callers: CALLERS, slots: SLOTS, rate: RATE })
      .catch((error: unknown) => {
        if (member.process === process && !member.isRestarting)
          this.#violate(`${member.name} failed: ${String(error)}`);
      });
  }

  #note(line: string): void {
    this.#history.push(`${((machineNow() - this.#startedMs) / 1000).toFixed(3)} s: ${line}`);
    if (this.#history.length > HISTORY) this.#history.shift();
  }

  #violate(line: string): void {
    if (this.#violations.length >= 10) return;
    this.#note(`VIOLATION: ${line}`);
    this.#violations.push(line);
  }

  /** Starts a fault. Several may be under way. */
  #break(): void {
    const random = this.#random;
    const member = random.pick(this.#members);
    const { name, proxy } = member;
    const faults: Readonly<Record<string, () => Promise<unknown>>> = {
      'kill and restart a process': async () => {
        const { process } = member;
        await process.kill();
        member.process = await this.#start(proxy);
        member.isRestarting = false;
        this.#putToWork(member);
      },
      'stop a process': async () => {
        const ms = random.between(100, 3_000);
        member.process.pause();
        await pause(ms);
        member.process.resume();
      },
      'block a process': () => member.process.block(random.between(100, 3_000)),
      'stop Redis': async () => {
        this.#server.pause();
        await pause(random.between(100, 2_500));
        this.#server.resume();
      },
      'cut connections': () => {
        proxy.cut();
        return Promise.resolve();
      },
      'stall connections': async () => {
        proxy.stall();
        await pause(random.between(100, 2_500));
        proxy.flow();
      },
      'drop replies': () => {
        proxy.dropReplies(random.between(1, 3));
        return Promise.resolve();
      },
      'flush scripts': () => this.#server.call('SCRIPT', 'FLUSH'),
      'kill clients': () => this.#server.call('CLIENT', 'KILL', 'TYPE', 'normal'),
      'kill subscribers': () => this.#server.call('CLIENT', 'KILL', 'TYPE', 'pubsub'),
    };
    const what = random.pick(Object.keys(faults));
    if (what === 'kill and restart a process') {
      if (member.isRestarting) return;
      member.isRestarting = true;
    }
    this.#faults[what] = (this.#faults[what] ?? 0) + 1;
    this.#note(`${what} (${name})`);
    const fault = faults[what]?.().catch((error: unknown) => {
      this.#note(`${what} failed: ${String(error)}`);
    });
    if (fault === undefined) return;
    this.#underWay.add(fault);
    void fault.then(() => this.#underWay.delete(fault));
  }

  /** Looks until it is over; a look that is cut off by a fault is not one. */
  async #observe(): Promise<void> {
    while (!this.#isOver) {
      try {
        await this.#look();
        this.#looks++;
      } catch (error) {
        if (!this.#server.running) throw error;
      }
      await pause(20);
    }
  }

  async #look(): Promise<void> {
    for (const { key, max } of SLOTS) {
      const { live } = await viewSemaphore(this.#server, key);
      if (live.length > max) {
        this.#violate(`${live.length} hold "${key}" on the server, ${max} may: ${live.join(', ')}`);
      }
      const belief = this.#account.overBelief(key, max);
      if (belief !== undefined) this.#violate(belief);
    }
    const admission = this.#account.overAdmission(RATE.max);
    if (admission !== undefined) this.#violate(admission);
    for (const name of (await this.#server.call('KEYS', '*')) as string[]) {
      if ((await this.#server.call('PTTL', name)) === -1) this.#violate(`"${name}" has no expiry`);
    }
  }

  /** Ends the faults and the work, and looks whether anything is lost or left. */
  async #wind(): Promise<void> {
    if (this.#violations.length > 0) return;
    this.#note('the faults end');
    try {
      await Promise.all(this.#underWay);
      for (const { proxy } of this.#members) proxy.dropReplies(0);
      await Promise.all(this.#members.map(({ process }) => process.rest()));
      let areDone = false;
      void Promise.all(this.#members.map(({ work }) => work)).then(() => (areDone = true));
      await until('all callers are done', () => areDone, 30_000);
      await until('the slots of lost tickets are free', async () => {
        const views = await Promise.all(SLOTS.map(({ key }) => viewSemaphore(this.#server, key)));
        return views.every(({ live, waiting }) => live.length + waiting.length === 0);
      });
      const process = this.#members[0]?.process;
      for (const { key, max } of SLOTS) {
        const ids = (await process?.holdMany(key, max, 0, max + 1)) ?? [];
        if (ids.length !== max) this.#violate(`${ids.length} of ${max} slots of "${key}" are left`);
        for (const id of ids) await process?.release(id);
      }
      await Promise.all(this.#members.map(({ process: each }) => each.finish()));
      for (const { name, process: each } of this.#members) {
        const code = await each.ended();
        if (code !== 0) this.#violate(`${name} ended with ${String(code)}`);
      }
      await until('no key is left', async () => (await this.#server.call('DBSIZE')) === 0);
      const channels = (await this.#server.call('PUBSUB', 'CHANNELS', '*')) as string[];
      if (channels.length > 0) this.#violate(`Channels are followed: ${channels.join(', ')}`);
    } catch (error) {
      this.#violate(`At the end: ${String(error)}`);
    }
  }
}
