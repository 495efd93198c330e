import { BlockList, isIPv6 } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { formatIp, parseIp } from '@frontmcp/guard-core';
import { IpFilter } from '@frontmcp/guard-ip-filter';
import { addressIn, createRandom, randomIpv6, randomRule } from './ip-data.ts';
import type { Random, RuleParts } from './ip-data.ts';

const SIZES = [10, 1_000, 100_000, 1_000_000];
const QUERIES = 65_536;
const ROUNDS = 15;
const SLOW_QUERIES = 16_384;

interface Row {
  readonly rules: number;
  readonly kind: 'hit' | 'miss';
  readonly parseNs: number;
  readonly checkNs: number;
  readonly blockListNs: number;
}

interface Build {
  readonly rules: number;
  readonly seconds: number;
  readonly bytesPerRule: number;
  readonly blockListSeconds: number;
}

/**
 * Measures `IpFilter.check` on hits and misses, next to the cost of parsing alone and to Node's own `net.BlockList` on
 * the same rules and addresses, and prints times and ratios. Every answer is compared with BlockList's. Times are the
 * process's CPU time, the median of 15 rounds in which the three take turns.
 */
export async function benchIp(): Promise<void> {
  const rows: Row[] = [];
  const builds: Build[] = [];
  for (const size of SIZES) {
    const random = createRandom(size);
    const rules = Array.from({ length: size }, () => randomRule(random));
    const texts = rules.map((rule) => `${formatIp(rule.family, rule.words)}/${rule.prefix}`);
    const { filter, ...built } = measureBuild(texts);
    const started = process.cpuUsage();
    const blockList = buildBlockList(rules);
    builds.push({ rules: size, ...built, blockListSeconds: cpuMs(started) / 1000 });
    const hits = Array.from({ length: QUERIES }, () => hit(rules, random));
    const misses = Array.from({ length: QUERIES }, () => miss(filter, random));
    assertAgreement(filter, blockList, [...hits, ...misses]);
    rows.push({ rules: size, kind: 'hit', ...measureChecks(filter, blockList, hits) });
    rows.push({ rules: size, kind: 'miss', ...measureChecks(filter, blockList, misses) });
    await new Promise((resolve) => setImmediate(resolve));
  }
  print(rows, builds);
}

function measureBuild(texts: string[]): {
  filter: IpFilter;
  seconds: number;
  bytesPerRule: number;
} {
  collectGarbage();
  const bytesBefore = process.memoryUsage().arrayBuffers;
  const started = process.cpuUsage();
  const filter = new IpFilter({ denyList: texts });
  const seconds = cpuMs(started) / 1000;
  collectGarbage();
  const bytesPerRule = (process.memoryUsage().arrayBuffers - bytesBefore) / texts.length;
  return { filter, seconds, bytesPerRule };
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
    const text = random() % 10 < 7 ? formatIp(4, [random()]) : formatIp(6, randomIpv6(random));
    if (filter.check(text).reason === 'default') return flat(text);
  }
}

/** The string in one piece, as it comes from a socket, not as a tree of concatenations. */
function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

function assertAgreement(filter: IpFilter, blockList: BlockList, queries: readonly string[]): void {
  for (const ip of queries) {
    const blocked = blockList.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4');
    if (blocked === filter.check(ip).allowed) throw new Error(`Verdicts differ on ${ip}`);
  }
}

function measureChecks(
  filter: IpFilter,
  blockList: BlockList,
  queries: readonly string[],
): { parseNs: number; checkNs: number; blockListNs: number } {
  const words = new Uint32Array(4);
  const families = queries.map((ip) => (isIPv6(ip) ? ('ipv6' as const) : ('ipv4' as const)));
  const parse: number[] = [];
  const check: number[] = [];
  const block: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    parse.push(timeNs(queries.length, (i) => parseIp(queries[i], words)));
    check.push(timeNs(queries.length, (i) => (filter.check(queries[i]).allowed ? 1 : 0)));
    block.push(
      timeNs(SLOW_QUERIES, (i) => (blockList.check(queries[i] as string, families[i]) ? 1 : 0)),
    );
  }
  return { parseNs: median(parse), checkNs: median(check), blockListNs: median(block) };
}

let sink = 0;

function timeNs(count: number, step: (i: number) => number): number {
  const started = process.cpuUsage();
  for (let i = 0; i < count; i++) sink += step(i);
  return (cpuMs(started) * 1e6) / count;
}

function cpuMs(started: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[values.length >>> 1] as number;
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

function print(rows: readonly Row[], builds: readonly Build[]): void {
  console.log('IP filter: CPU ns per check, the median of 15 rounds; ratios in brackets');
  console.table(
    rows.map(({ rules, kind, parseNs, checkNs, blockListNs }) => ({
      rules,
      kind,
      'parse alone': parseNs.toFixed(0),
      'IpFilter.check': `${checkNs.toFixed(0)} (${(checkNs / parseNs).toFixed(2)} × parse)`,
      'net.BlockList': `${blockListNs.toFixed(0)} (${(blockListNs / checkNs).toFixed(1)} × ours)`,
    })),
  );
  console.table(
    builds.map(({ rules, seconds, bytesPerRule, blockListSeconds }) => ({
      rules,
      'build, CPU s': seconds.toFixed(3),
      'bytes per rule': bytesPerRule.toFixed(1),
      'BlockList build, CPU s': blockListSeconds.toFixed(3),
    })),
  );
}

if (import.meta.main) await benchIp();
