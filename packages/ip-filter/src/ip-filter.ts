import { assertKnownKeys, GuardConfigError } from '@frontmcp/guard-core';
import type { GuardLogger } from '@frontmcp/guard-core';
import type { IpFilterConfig } from './ip-filter-config.js';
import type { IpFilterResult } from './ip-filter-result.js';
import { IpTable } from './ip-table.js';
import { readRules } from './read-rules.js';
import { deciding, isAllowCovered, NO_RULE } from './verdict.js';

/** What an {@link IpFilter} may be given besides its configuration. */
export interface IpFilterOptions {
  /** Told once for each configuration that has rules with host bits set. Default: nobody is told. */
  readonly logger?: Pick<GuardLogger, 'warn'> | undefined;
}

const KNOWN: ReadonlySet<string> = new Set<keyof IpFilterConfig>([
  'allowList',
  'denyList',
  'defaultAction',
  'trustProxy',
  'trustedProxyDepth',
]);

const OPTIONS: ReadonlySet<string> = new Set<keyof IpFilterOptions>(['logger']);

interface Compiled {
  readonly table: IpTable;
  /** The deny list followed by the allow list, as written. */
  readonly rules: readonly string[];
  readonly denyCount: number;
  readonly allowByDefault: boolean;
}

/**
 * Checks client addresses against an allow and a deny list of addresses, CIDR blocks and ranges, IPv4 and IPv6.
 *
 * Families never cross: `0.0.0.0/0` is every IPv4 address and no IPv6 one, `::/0` the other way round. An IPv4-mapped
 * IPv6 address is the IPv4 address that it maps, in rules and in what is checked. A check costs about as much as parsing
 * the address, however many rules there are; a million rules take about a second to compile, at most 44 bytes each.
 */
export class IpFilter {
  readonly #logger: Pick<GuardLogger, 'warn'> | undefined;
  #compiled: Compiled;

  /**
   * Compiles the lists; later changes of the arrays have no effect. Host bits after a prefix (`192.168.1.7/24`) are masked,
   * with one warning.
   *
   * @throws GuardConfigError naming every rule that cannot be parsed, with its list, index and reason: a deny rule that
   * silently matches nothing would be a hole. For a key of the configuration that nobody reads, naming the nearest known one
   */
  constructor(config: IpFilterConfig, options: IpFilterOptions = {}) {
    assertKnownKeys(options, OPTIONS, 'the options of IpFilter');
    this.#logger = options.logger;
    this.#compiled = compile(config, this.#logger);
  }

  /**
   * Whether an address may come in: the deny list decides first, then the allow list, then `defaultAction`.
   *
   * A missing address, and text that is not exactly an address (a port, brackets, a zone id or surrounding space make it
   * something else), match no rule. `matchedRule` is the rule of the deciding list that covers the fewest addresses, on a
   * tie the first in its list.
   */
  check(ip: string | undefined): IpFilterResult {
    const { table, rules, denyCount, allowByDefault } = this.#compiled;
    const verdict = table.find(ip);
    if (verdict === NO_RULE) return { allowed: allowByDefault, reason: 'default' };
    const rule = deciding(verdict);
    const matchedRule = rules[rule] as string;
    return rule < denyCount
      ? { allowed: false, reason: 'denylisted', matchedRule }
      : { allowed: true, reason: 'allowlisted', matchedRule };
  }

  /** Whether an address is on the allow list, whatever the deny list says. False for what is not an address. */
  isAllowListed(ip: string | undefined): boolean {
    return isAllowCovered(this.#compiled.table.find(ip));
  }

  /**
   * Replaces the whole configuration, in one step: a check sees the old lists or the new ones, never a mixture.
   *
   * @throws GuardConfigError like the constructor; the old configuration then stays in force
   */
  update(config: IpFilterConfig): void {
    this.#compiled = compile(config, this.#logger);
  }
}

function compile(config: IpFilterConfig, logger: Pick<GuardLogger, 'warn'> | undefined): Compiled {
  assertKnownKeys(config, KNOWN, 'the IP filter');
  const denyList = asList(config.denyList, 'denyList');
  const allowList = asList(config.allowList, 'allowList');
  const allowByDefault = isAllow(config.defaultAction);
  const { v4, v6, maskedCount, maskedExamples } = readRules(denyList, allowList);
  const table = new IpTable(v4, v6, denyList.length);
  if (maskedCount > 0) {
    logger?.warn(
      `IP rules have bits set after their prefix, read without them: ${maskedExamples.join(', ')}${
        maskedCount > maskedExamples.length ? `, … (${maskedCount} rules)` : ''
      }`,
    );
  }
  return { table, rules: denyList.concat(allowList), denyCount: denyList.length, allowByDefault };
}

function asList(list: unknown, name: string): readonly string[] {
  if (list === undefined) return [];
  if (Array.isArray(list)) return list as readonly string[];
  throw new GuardConfigError(
    `Cannot read ${name}: it is ${list === null ? 'null' : `of type ${typeof list}`}, not an array`,
  );
}

function isAllow(action: unknown): boolean {
  if (action === undefined || action === 'allow') return true;
  if (action === 'deny') return false;
  throw new GuardConfigError(
    `defaultAction must be 'allow' or 'deny', got ${JSON.stringify(action)}`,
  );
}
