import { BlockList, isIPv6 } from 'node:net';
import { formatIp, parseIp } from '@frontmcp/guard-core';
import { IpFilter } from '@frontmcp/guard-ip-filter';
import { collectGarbage } from './collect-garbage.ts';
import { FULL, compare, type Loop, type Pace } from './harness.ts';
import { addressIn, createRandom, randomIpv6, randomRule } from './ip-data.ts';
import type { Random, RuleParts } from './ip-data.ts';

const SIZES = [10, 1_000, 100_000, 1_000_000];
const QUERIES = 65_536;
/** Longer slices: each passes over the addresses several times, so that a table is not measured as the others left the cache. */
const SLICES_IN_ONE = 5;

/**
 * Measures `IpFilter.check`, result object included, at 10 to 1,000,000 rules: addresses in a rule and in none, next to
 * parsing alone and to Node's own `net.BlockList` with the same rules. Before anything is timed every answer is compared
 * with BlockList's. Says how long a table takes to build, and how many bytes it keeps beside the text of the rules.
 */
export async function benchIp(pace: Pace = FULL): Promise<void> {
  const builds: Record<string, object> = {};
  for (const size of SIZES) {
    const random = createRandom(size);
    const rules = Array.from({ length: size }, () => randomRule(random));
    const { filter, ...build } = await buildFilter(rules);
    const started = process.cpuUsage();
    const blockList = buildBlockList(rules);
    builds[size.toLocaleString('en')] = { ...build, 'BlockList build, CPU s': cpuSeconds(started) };
    const hits = Array.from({ length: QUERIES }, () => hit(rules, random));
    const misses = Array.from({ length: QUERIES }, () => miss(filter, random));
    assertAgreement(filter, blockList, [...hits, ...misses]);
    for (const [kind, ips] of Object.entries({ 'in a rule': hits, 'in no rule': misses })) {
      const title = `IP filter, ${size.toLocaleString('en')} rules, addresses ${kind}`;
      await compareChecks(title, filter, blockList, ips, pace);
    }
  }
  console.log('\nIP filter, build');
  console.table(builds);
}

async function compareChecks(
  title: string,
  filter: IpFilter,
  blockList: BlockList,
  ips: readonly string[],
  pace: Pace,
): Promise<void> {
  const words = new Uint32Array(4);
  const families = ips.map((ip) => (isIPv6(ip) ? 'ipv6' : 'ipv4'));
  const contenders: Record<string, (i: number) => unknown> = {
    'parse alone': (i) => parseIp(ips[i], words),
    'IpFilter.check': (i) => filter.check(ips[i]),
    'net.BlockList': (i) => blockList.check(ips[i] as string, families[i] as 'ipv4'),
  };
  await compare(
    {
      title,
      expected: 'answered',
      floor: 'parse alone',
      contenders: Object.fromEntries(
        Object.entries(contenders).map(([name, run]) => [
          name,
          () => ({ loop: repeatSync(run), answer: () => 'answered' }),
        ]),
      ),
    },
    { ...pace, sliceMs: pace.sliceMs * SLICES_IN_ONE },
  );
}

/** A loop around one call that is not awaited, over the queries in turn, compiled anew for each contender. */
function repeatSync(run: (i: number) => unknown): Loop {
  const source = `return async (from, count) => {
    let result;
    for (let i = from; i < from + count; i++) result = run(i & ${QUERIES - 1});
    return result;
  }`;
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- a closure from one place would share its feedback
  return (new Function('run', source) as (body: (i: number) => unknown) => Loop)(run);
}

async function buildFilter(
  rules: readonly RuleParts[],
): Promise<{ filter: IpFilter; 'build, CPU s': number; 'bytes/rule': number }> {
  const denyList = rules.map(({ family, words, prefix }) =>
    flat(`${formatIp(family, words)}/${prefix}`),
  );
  const before = await arrayBytes();
  const started = process.cpuUsage();
  const filter = new IpFilter({ denyList });
  const seconds = cpuSeconds(started);
  const bytes = (await arrayBytes()) - before;
  return {
    filter,
    'build, CPU s': seconds,
    'bytes/rule': Number((bytes / rules.length).toFixed(1)),
  };
}

function buildBlockList(rules: readonly RuleParts[]): BlockList {
  const list = new BlockList();
  for (const { family, words, prefix } of rules) {
    list.addSubnet(formatIp(family, words), prefix, family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

function hit(rules: readonly RuleParts[], random: Random): string {
  const { family, words } = addressIn(rules[random() % rules.length] as RuleParts, random);
  return flat(formatIp(family, words));
}

function miss(filter: IpFilter, random: Random): string {
  for (;;) {
    const isV4 = random() % 10 < 7;
    const text = isV4 ? formatIp(4, [random()]) : formatIp(6, randomIpv6(random));
    if (filter.check(text).reason === 'default') return flat(text);
  }
}

/** The string in one piece, as it comes from a socket or a file, not as a tree of concatenations. */
function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

function assertAgreement(filter: IpFilter, blockList: BlockList, ips: readonly string[]): void {
  for (const ip of ips) {
    const blocked = blockList.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4');
    if (blocked === filter.check(ip).allowed) throw new Error(`Verdicts differ on ${ip}`);
  }
}

/** Bytes of all array buffers once what is unused has been freed, which V8 does in the background. */
async function arrayBytes(): Promise<number> {
  collectGarbage('major');
  await new Promise((resolve) => setTimeout(resolve, 100));
  collectGarbage('major');
  return process.memoryUsage().arrayBuffers;
}

function cpuSeconds(started: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(started);
  return Number(((user + system) / 1e6).toFixed(3));
}
