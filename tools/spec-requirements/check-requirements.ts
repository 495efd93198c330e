import type { Requirement } from '../../docs/spec/requirements.ts';

/** A place where a test's title names a requirement. */
export interface Citation {
  readonly id: string;
  /** `path:line` */
  readonly place: string;
}

export interface Check {
  readonly problems: readonly string[];
  /** How many requirements have each status; deviations count as one. */
  readonly counts: Readonly<Record<string, number>>;
}

/** Holds the list of requirements against what tests cite and the decisions that are on file. */
export function checkRequirements(
  requirements: readonly Requirement[],
  citations: readonly Citation[],
  adrFiles: readonly string[],
): Check {
  const known = new Set(requirements.map(({ id }) => id));
  const cited = new Set(citations.map(({ id }) => id));
  const counts: Record<string, number> = {};
  const problems = citations
    .filter(({ id }) => !known.has(id))
    .map(({ id, place }) => `${place} cites [${id}], which is not in docs/spec/requirements.ts`);

  const seen = new Set<string>();
  for (const { id, status } of requirements) {
    if (!/^[A-Z]+-\d{2,}$/.test(id)) problems.push(`Id "${id}" is not of the form RL-01`);
    if (seen.has(id)) problems.push(`Id "${id}" is given twice`);
    seen.add(id);
    const adr = /^deviates: ADR-(.*)$/.exec(status)?.[1];
    const group = adr === undefined ? status : 'deviates';
    counts[group] = (counts[group] ?? 0) + 1;
    if (!cited.has(id)) {
      problems.push(`${id} is "${status}", but no test cites [${id}]`);
    }
    if (adr !== undefined && !adrFiles.some((file) => file.startsWith(`${adr}-`))) {
      problems.push(`${id} deviates by ADR-${adr}, but there is no docs/adr/${adr}-*.md`);
    }
  }
  return { problems, counts };
}
