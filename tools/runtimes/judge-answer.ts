import type { Answer } from './answer.ts';
import type { Format } from './behaviours/behaviour.ts';
import { expectedSeen } from './expected-seen.ts';
import { findDifferences } from './find-differences.ts';

/** How a program ended. */
export interface Ending {
  readonly stdout: string;
  readonly stderr: string;
  /** Null for one that a signal ended. */
  readonly status: number | null;
  /** Whether it had to be ended, because it did not end by itself. */
  readonly hung: boolean;
}

/** What became of a runtime and a store: what it calls itself, and what is wrong. */
export interface Verdict {
  readonly version: string;
  readonly problems: readonly string[];
}

/** Holds what a runtime saw against what it must see, in each way of loading that it has. */
export function judgeAnswer(
  answer: Answer,
  entries: Readonly<Partial<Record<Format, readonly string[]>>>,
  hasFiles: boolean,
): Verdict {
  const expected = Object.entries(entries).map(([format, names]) => [
    format,
    expectedSeen(names, format as Format, hasFiles),
  ]);
  return {
    version: answer.version,
    problems: findDifferences(Object.fromEntries(expected), answer.seen),
  };
}

/** Judges a program by what it wrote and how it ended: it answers, says nothing else, and ends by itself. */
export function judgeEnding(ending: Ending, entries: readonly string[]): Verdict {
  const answer = readAnswer(ending.stdout);
  const trouble = [
    ...(ending.hung ? ['it did not end by itself: something is left open'] : []),
    ...(!ending.hung && ending.status !== 0 ? [`it ended with ${String(ending.status)}`] : []),
  ];
  if (answer === undefined) {
    const said = (ending.stderr + ending.stdout).trim() || 'nothing';
    return { version: '', problems: [...trouble, `it gave no answer, and wrote: ${said}`] };
  }
  const { version, problems } = judgeAnswer(answer, { esm: entries, cjs: entries }, true);
  return { version, problems: [...trouble, ...problems] };
}

function readAnswer(stdout: string): Answer | undefined {
  try {
    const answer = JSON.parse(stdout) as Answer | null;
    return typeof answer?.seen === 'object' ? answer : undefined;
  } catch {
    return undefined;
  }
}
