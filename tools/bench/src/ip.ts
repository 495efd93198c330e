import { BlockList, isIPv6 } from 'node:net';
import { formatIp, parseIp } from '@frontmcp/guard-core';
import { IpFilter } from '@frontmcp/guard-ip-filter';
import { collectGarbage } from './collect-garbage.ts';
import {
  figuresOf,
  goal,
  ratioOf,
  round,
  type Findings,
  type Goal,
  type GroupResult,
  type Pace,
} from './findings.ts';
import { compare, repeatSync } from './harness.ts';
import { createRandom, flat, hit, randomIpv6, randomRule, ruleText } from './ip-data.ts';
import type { Random, RuleParts } from './ip-data.ts';
import { printGroup } from './print.ts';
import { spread } from './statistics.ts';

const SIZES = [10, 1_000, 100_000, 1_000_000];
const FEW = 1_000;
const QUERIES = 65_536;
/** Longer slices: each passes over the addresses several times, so that a table is not measured as the others left the cache. */
const SLICES_IN_ONE = 5;

const FLOOR = 'parsing alone';
const OURS = '@frontmcp/guard-ip-filter';
const BLOCK_LIST = 'net.BlockList';

/**
 * Measures `IpFilter.check`, result object included, at 10 to 1,000,000 rules: addresses in a rule and in none, next to
 * parsing alone and to Node's own `net.BlockList` with the same rules. Before anything is timed every answer is compared
 * with BlockList's. Says how long a table takes to build, and how many bytes it keeps beside the text of the rules.
 */
export async function benchIp(pace: Pace): Promise<Findings> {
  const checks: GroupResult[] = [];
  const builds: GroupResult[] = [];
  for (const size of SIZES) {
    const random = createRandom(size);
    const rules = Array.from({ length: size }, () => randomRule(random));
    const { filter, blockList, group } = await build(rules);
    builds.push(group);
    const hits = Array.from({ length: QUERIES }, () => hit(rules, random));
    const misses = Array.from({ length: QUERIES }, () => miss(filter, random));
    assertAgreement(filter, blockList, [...hits, ...misses]);
    for (const [kind, ips] of Object.entries({ 'in a rule': hits, 'in none': misses })) {
      checks.push(await compareChecks(size, kind, { filter, blockList, ips }, pace));
    }
  }
  return { groups: [...checks, ...builds], goals: goalsOf(checks) };
}

function goalsOf(checks: readonly GroupResult[]): Goal[] {
  const gain = (group: GroupResult): number => ratioOf(group, BLOCK_LIST, OURS);
  const isFew = ({ id }: GroupResult): boolean => Number(id.split('-')[0]) <= FEW;
  return [
    goal({
      id: 'ip-few',
      text: 'At least 3 × as fast as net.BlockList up to 1,000 rules',
      bound: { atLeast: 3 },
      unit: '×',
      figures: figuresOf(checks.filter(isFew), gain),
    }),
    goal({
      id: 'ip-every-size',
      text: 'Ahead of net.BlockList at every size, though ours also names the rule',
      bound: { atLeast: 1 },
      unit: '×',
      figures: figuresOf(checks, gain),
    }),
  ];
}

interface Checked {
  readonly filter: IpFilter;
  readonly blockList: BlockList;
  readonly ips: readonly string[];
}

async function compareChecks(
  size: number,
  kind: string,
  { filter, blockList, ips }: Checked,
  pace: Pace,
): Promise<GroupResult> {
  const words = new Uint32Array(4);
  const families = ips.map((ip) => (isIPv6(ip) ? 'ipv6' : 'ipv4'));
  const contenders: Record<string, (i: number) => unknown> = {
    [FLOOR]: (i) => parseIp(ips[i], words),
    [OURS]: (i) => filter.check(ips[i]),
    [BLOCK_LIST]: (i) => blockList.check(ips[i] as string, families[i] as 'ipv4'),
  };
  return compare(
    {
      id: `${String(size)}-${kind === 'in none' ? 'miss' : 'hit'}`,
      title: `${size.toLocaleString('en')} rules, an address ${kind}`,
      expected: 'answered',
      floor: FLOOR,
      contenders: Object.fromEntries(
        Object.entries(contenders).map(([name, run]) => [
          name,
          () => ({ loop: repeatSync(run, QUERIES), answer: () => 'answered' }),
        ]),
      ),
    },
    { ...pace, sliceMs: pace.sliceMs * SLICES_IN_ONE },
  );
}

/** Builds both tables from the same rules and says what that took. */
async function build(
  rules: readonly RuleParts[],
): Promise<{ filter: IpFilter; blockList: BlockList; group: GroupResult }> {
  const denyList = rules.map(ruleText);
  const before = await arrayBytes();
  const started = process.cpuUsage();
  const filter = new IpFilter({ denyList });
  const oursMs = cpuMs(started);
  const bytes = (await arrayBytes()) - before;
  const startedTheirs = process.cpuUsage();
  const blockList = buildBlockList(rules);
  const theirsMs = cpuMs(startedTheirs);
  const size = rules.length.toLocaleString('en');
  const group = printGroup({
    id: `${String(rules.length)}-build`,
    title: `${size} rules, building the table`,
    unit: 'CPU ms',
    rows: [
      { ...spread(OURS, [oursMs]), extra: { 'bytes a rule': round(bytes / rules.length) } },
      spread(BLOCK_LIST, [theirsMs]),
    ],
  });
  return { filter, blockList, group };
}

function buildBlockList(rules: readonly RuleParts[]): BlockList {
  const list = new BlockList();
  for (const { family, words, prefix } of rules) {
    list.addSubnet(formatIp(family, words), prefix, family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

function miss(filter: IpFilter, random: Random): string {
  for (;;) {
    const isV4 = random() % 10 < 7;
    const text = isV4 ? formatIp(4, [random()]) : formatIp(6, randomIpv6(random));
    if (filter.check(text).reason === 'default') return flat(text);
  }
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

function cpuMs(started: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}
