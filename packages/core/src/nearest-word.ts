/**
 * The word that a misspelt one most likely meant: the one with the smallest edit distance (Levenshtein), case aside, as long as
 * that is no more than a third of its length, and 1 for short words. On a tie the first of `known`; undefined when none is near.
 */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let smallest = Infinity;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance > Math.max(1, candidate.length / 3) || distance >= smallest) continue;
    smallest = distance;
    nearest = candidate;
  }
  return nearest;
}

function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replace = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replace, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
