/** One place in the queue. Each waiter brings the limit and the lease of its own call. */
export interface Waiter {
  readonly id: string;
  readonly max: number;
  readonly leaseMs: number;
  /** When its caller stops waiting; Infinity for never. From then on it is skipped. */
  readonly untilMs: number;
  /** Whether its process is known to follow its channel, so that a hand-over which nobody hears proves it dead. */
  isListening: boolean;
}

/**
 * Waiters in order of arrival: plain data, every step O(1) on average.
 *
 * A waiter that left stays in `order` until the head passes it or it is one of too many. A `Map` alone would not do: its
 * iteration starts by passing over every entry that was deleted at its front.
 */
export interface WaiterQueue {
  readonly byId: Map<string, Waiter>;
  order: Waiter[];
  /** Where the first waiter stands in `order`, unless there is none. */
  head: number;
}

const SMALL = 32;

export function createWaiterQueue(): WaiterQueue {
  return { byId: new Map(), order: [], head: 0 };
}

/** Puts a waiter that is not in the queue at its end. */
export function enqueue(queue: WaiterQueue, waiter: Waiter): void {
  queue.byId.set(waiter.id, waiter);
  queue.order.push(waiter);
}

/** Takes a waiter out, wherever it stands. */
export function dequeue(queue: WaiterQueue, id: string): void {
  if (!queue.byId.delete(id)) return;
  while (queue.head < queue.order.length && waiterAt(queue, queue.head) === undefined) queue.head++;
  if (queue.order.length <= 2 * queue.byId.size + SMALL) return;
  queue.order = queue.order.filter((_, index) => waiterAt(queue, index) !== undefined);
  queue.head = 0;
}

/** @returns Undefined for a place whose waiter left. */
export function waiterAt(queue: WaiterQueue, index: number): Waiter | undefined {
  const waiter = queue.order[index];
  return waiter !== undefined && queue.byId.get(waiter.id) === waiter ? waiter : undefined;
}
