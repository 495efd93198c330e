/** One line of CLUSTER NODES. */
export interface NodeView {
  readonly id: string;
  readonly flags: readonly string[];
  /** First and last slot of each range; slots that are on the move are not listed apart. */
  readonly ranges: readonly (readonly [first: number, last: number])[];
}

/** Reads a reply of CLUSTER NODES: how one node sees the cluster. */
export function readNodes(reply: string): NodeView[] {
  const lines = reply.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [id = '', , flags = '', , , , , , ...slots] = line.split(' ');
    const ranges = slots.filter((slot) => !slot.startsWith('[')).map(readRange);
    return { id, flags: flags.split(','), ranges };
  });
}

export function holdsSlot({ ranges }: NodeView, slot: number): boolean {
  return ranges.some(([first, last]) => first <= slot && slot <= last);
}

function readRange(text: string): [first: number, last: number] {
  const [first, last = first] = text.split('-').map(Number);
  return [first ?? NaN, last ?? NaN];
}
