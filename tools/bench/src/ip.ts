import { isIPv6, type BlockList } from 'node:net';
import { formatIp, parseIp } from '@frontmcp/guard-core';
import { IpFilter, type IpFilterResult } from '@frontmcp/guard-ip-filter';
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
import { BLOCK_LIST, buildBlockList, ipPeers, TRIE } from './ip-peers.ts';
import { printGroup } from './print.ts';
import { spread } from './statistics.ts';

const SIZES = [10, 1_000, 100_000, 1_000_000];
const FEW = 1_000;
const MANY = 100_000;
const QUERIES = 65_536;
/** Longer slices: each passes over the addresses several times, so that a table is not measured as the others left the cache. */
const SLICES_IN_ONE = 5;

const FLOOR = 'parsing alone';
const OURS = '@frontmcp/guard-ip-filter';

/**
 * Measures `IpFilter.check`, result object included, at 10 to 1,000,000 rules: addresses in a rule and in none, next to
 * parsing alone and to peers with the same rules, among them Node's own `net.BlockList`. Before anything is timed every answer
 * is compared with BlockList's. Says how long a table takes to build, and how many bytes it keeps beside the text of the rules.
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
      checks.push(await compareChecks(size, kind, { filter, rules, ips }, pace));
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
      text: 'At least 3 × as fast as net.BlockList up to 1,000 rules, both given nothing but text',
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
    ...trieGoals(checks),
  ];
}

/** Nothing where the native trie has not been built. */
function trieGoals(checks: readonly GroupResult[]): Goal[] {
  const withTrie = checks.filter(({ rows }) => rows.some(({ name }) => name === TRIE));
  if (withTrie.length === 0) return [];
  return [
    goal({
      id: 'ip-trie',
      text: 'Faster than a native trie',
      bound: { atLeast: 1 },
      unit: '×',
      figures: figuresOf(withTrie, (group) => ratioOf(group, TRIE, OURS)),
    }),
  ];
}

interface Checked {
  readonly filter: IpFilter;
  readonly rules: readonly RuleParts[];
  readonly ips: readonly string[];
}

function compareChecks(
  size: number,
  kind: string,
  { filter, rules, ips }: Checked,
  pace: Pace,
): Promise<GroupResult> {
  const words = new Uint32Array(4);
  const isListed = kind === 'in a rule';
  const peers = Object.entries(ipPeers).filter(([, { most }]) => size <= most);
  return compare(
    {
      id: `${String(size)}-${isListed ? 'hit' : 'miss'}`,
      title: `${size.toLocaleString('en')} rules, an address ${kind}`,
      expected: isListed,
      floor: FLOOR,
      contenders: {
        [FLOOR]: () => ({
          loop: repeatSync((i) => parseIp(ips[i], words), QUERIES),
          answer: () => isListed,
        }),
        [OURS]: () => ({
          loop: repeatSync((i) => filter.check(ips[i]), QUERIES),
          answer: ({ allowed }: IpFilterResult) => !allowed,
        }),
        ...Object.fromEntries(peers.map(([name, { make }]) => [name, () => make(rules, ips)])),
      },
    },
    { ...pace, sliceMs: pace.sliceMs * SLICES_IN_ONE },
  );
}

/** Builds both tables from the same rules and says what that takes, but for the largest once they have been built before. */
async function build(
  rules: readonly RuleParts[],
): Promise<{ filter: IpFilter; blockList: BlockList; group: GroupResult }> {
  const denyList = rules.map(ruleText);
  const before = await arrayBytes();
  const filter = new IpFilter({ denyList });
  const bytes = (await arrayBytes()) - before;
  const blockList = buildBlockList(rules);
  const times = rules.length > MANY ? 1 : 7;
  const ours = Array.from({ length: times }, () => cpuMs(() => new IpFilter({ denyList })));
  const theirs = Array.from({ length: times }, () => cpuMs(() => buildBlockList(rules)));
  const size = rules.length.toLocaleString('en');
  const group = printGroup({
    id: `${String(rules.length)}-build`,
    title: `${size} rules, building the table`,
    unit: 'CPU ms',
    rows: [
      { ...spread(OURS, ours), extra: { 'bytes a rule': round(bytes / rules.length) } },
      spread(BLOCK_LIST, theirs),
    ],
  });
  return { filter, blockList, group };
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

function cpuMs(run: () => unknown): number {
  const started = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}
