import {
  createIpRule,
  explainIpRule,
  formatIp,
  GuardConfigError,
  parseIpRule,
} from '@frontmcp/guard-core';
import type { RuleColumns } from './rule-columns.js';
import { MAX_RULES } from './verdict.js';

const MOST_EXAMPLES = 10;
const SHOWN_CHARACTERS = 100;

/** Two lists of rules, read. */
export interface ReadRules {
  readonly v4: RuleColumns;
  readonly v6: RuleColumns;
  /** How many rules have bits set after their prefix; they are masked. */
  readonly maskedCount: number;
  /** The first few of them, for a message: `denyList[2] "192.168.1.123/24" as 192.168.1.0/24`. */
  readonly maskedExamples: readonly string[];
}

const rule = createIpRule();

/**
 * Parses a deny list and an allow list.
 *
 * @throws GuardConfigError naming the list, index, text and reason of every rule that cannot be parsed, one a line
 */
export function readRules(denyList: readonly string[], allowList: readonly string[]): ReadRules {
  const total = denyList.length + allowList.length;
  if (total > MAX_RULES)
    throw new GuardConfigError(`Cannot use ${total} IP rules: at most ${MAX_RULES} are supported`);
  const v4 = new ColumnWriter(1, total);
  const v6 = new ColumnWriter(4, total);
  const maskedExamples: string[] = [];
  let maskedCount = 0;
  const problems: string[] = [];

  const readList = (list: readonly string[], name: string, offset: number): void => {
    for (let index = 0; index < list.length; index++) {
      const text: unknown = list[index];
      const family = typeof text === 'string' ? parseIpRule(text, rule) : 0;
      if (family === 0) {
        problems.push(describeProblem(text, `${name}[${index}]`));
        continue;
      }
      (family === 4 ? v4 : v6).add(rule.first, rule.last, offset + index);
      if (rule.hostBits && ++maskedCount <= MOST_EXAMPLES) {
        maskedExamples.push(
          `${name}[${index}] ${JSON.stringify(text)} as ${formatNetwork(family, text as string)}`,
        );
      }
    }
  };

  readList(denyList, 'denyList', 0);
  readList(allowList, 'allowList', denyList.length);
  if (problems.length > 0) throw new GuardConfigError(problems.join('\n'));
  return { v4: v4.columns(), v6: v6.columns(), maskedCount, maskedExamples };
}

/** The network in {@link rule}, which was written as `text`. */
function formatNetwork(family: 4 | 6, text: string): string {
  const written = Number(text.slice(text.indexOf('/') + 1));
  const prefix = family === 4 && text.includes(':') ? written - 96 : written;
  return `${formatIp(family, rule.first)}/${prefix}`;
}

function describeProblem(text: unknown, place: string): string {
  if (typeof text !== 'string')
    return `Cannot parse rule in ${place}: it is ${text === null ? 'null' : `of type ${typeof text}`}, not a string`;
  const { kind, reason } = explainIpRule(text) ?? { kind: 'IP address', reason: 'it is not valid' };
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  return `Cannot parse ${kind} ${JSON.stringify(shown)} in ${place}: ${reason}`;
}

class ColumnWriter {
  readonly #width: 1 | 4;
  readonly #first: Uint32Array;
  readonly #last: Uint32Array;
  readonly #rule: Uint32Array;
  #count = 0;

  constructor(width: 1 | 4, capacity: number) {
    this.#width = width;
    this.#first = new Uint32Array(capacity * width);
    this.#last = new Uint32Array(capacity * width);
    this.#rule = new Uint32Array(capacity);
  }

  add(first: Uint32Array, last: Uint32Array, position: number): void {
    const from = this.#count * this.#width;
    for (let word = 0; word < this.#width; word++) {
      this.#first[from + word] = first[word] as number;
      this.#last[from + word] = last[word] as number;
    }
    this.#rule[this.#count++] = position;
  }

  columns(): RuleColumns {
    return {
      width: this.#width,
      count: this.#count,
      first: this.#first,
      last: this.#last,
      rule: this.#rule,
    };
  }
}
