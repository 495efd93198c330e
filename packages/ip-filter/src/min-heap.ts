/** A binary min-heap of unsigned integers with room for a number of them that is known at the start. */
export class MinHeap {
  readonly #items: Uint32Array;
  #size = 0;

  constructor(capacity: number) {
    this.#items = new Uint32Array(capacity);
  }

  /** The smallest item, or -1 when the heap is empty. */
  peek(): number {
    return this.#size === 0 ? -1 : (this.#items[0] as number);
  }

  push(item: number): void {
    const items = this.#items;
    let at = this.#size++;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      const above = items[parent] as number;
      if (above <= item) break;
      items[at] = above;
      at = parent;
    }
    items[at] = item;
  }

  /** Removes the smallest item; does nothing when the heap is empty. */
  pop(): void {
    if (this.#size === 0) return;
    const items = this.#items;
    const size = --this.#size;
    const item = items[size] as number;
    let at = 0;
    for (let child = 1; child < size; child = at * 2 + 1) {
      if (child + 1 < size && (items[child + 1] as number) < (items[child] as number)) child++;
      const below = items[child] as number;
      if (below >= item) break;
      items[at] = below;
      at = child;
    }
    items[at] = item;
  }
}
