import { BlockList, isIPv6 } from 'node:net';
import { formatIp } from '@frontmcp/guard-core';
import { repeat, repeatSync, type Contender } from './harness.ts';
import { ruleText, type RuleParts } from './ip-data.ts';

export const BLOCK_LIST = 'net.BlockList';
const BLOCK_LIST_TOLD = 'net.BlockList, told the family';
export const TRIE = 'arkime-iptrie, native';

/** A library that looks addresses up in a list of rules. */
export interface IpPeer {
  /** More rules than this it is not asked about, since it goes through them one by one. */
  readonly most: number;
  /** Builds the table; the contender says whether an address is in it. The addresses go round below `modulus`. */
  readonly make: (
    rules: readonly RuleParts[],
    ips: readonly string[],
  ) => Contender | Promise<Contender>;
}

const ONE_BY_ONE = 1_000;
/** It has no types. */
const NATIVE: string = 'arkime-iptrie';

export const ipPeers: Readonly<Record<string, IpPeer>> = {
  [BLOCK_LIST]: {
    most: Infinity,
    make: (rules, ips) => {
      const list = buildBlockList(rules);
      const run = (i: number): boolean => {
        const ip = ips[i] as string;
        return list.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4');
      };
      return { loop: repeatSync(run, ips.length) };
    },
  },
  [BLOCK_LIST_TOLD]: {
    most: Infinity,
    make: (rules, ips) => {
      const list = buildBlockList(rules);
      const families = ips.map((ip) => (isIPv6(ip) ? 'ipv6' : 'ipv4'));
      const run = (i: number): boolean => list.check(ips[i] as string, families[i] as 'ipv4');
      return { loop: repeatSync(run, ips.length) };
    },
  },
  [TRIE]: {
    most: Infinity,
    make: async (rules, ips) => {
      const { default: native } = (await import(NATIVE)) as NativeTrie;
      const trie = new native.IPTrie();
      for (const { family, words, prefix } of rules) trie.add(formatIp(family, words), prefix, 1);
      return {
        loop: repeatSync((i) => trie.find(ips[i] as string), ips.length),
        answer: (found: unknown) => found === 1,
      };
    },
  },
  'ipaddr.js': {
    most: ONE_BY_ONE,
    make: async (rules, ips) => {
      const { default: ipaddr } = await import('ipaddr.js');
      const ranges = rules.map((rule) => ipaddr.parseCIDR(ruleText(rule)));
      const run = (i: number): boolean =>
        ipaddr.subnetMatch(ipaddr.parse(ips[i] as string), { listed: ranges }, 'none') === 'listed';
      return { loop: repeatSync(run, ips.length) };
    },
  },
  'hono/ip-restriction': {
    most: ONE_BY_ONE,
    make: async (rules, ips) => {
      const { ipRestriction } = await import('hono/ip-restriction');
      const restrict = ipRestriction(
        (ip) => ip as unknown as string,
        { denyList: rules.map(ruleText) },
        () => true as never,
      );
      const pass = (): Promise<void> => Promise.resolve();
      return {
        loop: repeat((i) => restrict(ips[i & (ips.length - 1)] as never, pass)),
        answer: (refused: unknown) => refused === true,
      };
    },
  },
};

/** `net.BlockList` with the same rules. */
export function buildBlockList(rules: readonly RuleParts[]): BlockList {
  const list = new BlockList();
  for (const { family, words, prefix } of rules) {
    list.addSubnet(formatIp(family, words), prefix, family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** The part of `arkime-iptrie` that is used here. */
interface NativeTrie {
  readonly default: {
    readonly IPTrie: new () => {
      add(address: string, prefix: number, value: unknown): void;
      find(address: string): unknown;
    };
  };
}
