/** The channel of the process that made a ticket id: everything before the dot. */
export function channelOfTicket(id: string): string {
  return channelOfProcess(id.slice(0, id.indexOf('.')));
}

export function channelOfProcess(processId: string): string {
  return `guard:sem:${processId}`;
}

/** Tells a waiter that it holds a slot, and until when on the store's clock. */
export function encodeHandOver(id: string, expiresAtMs: number): string {
  return `${id} ${expiresAtMs}`;
}

/** @returns Undefined for anything that {@link encodeHandOver} does not make. */
export function decodeHandOver(message: string): { id: string; expiresAtMs: number } | undefined {
  const [id, time, ...rest] = message.split(' ');
  const expiresAtMs = Number(time);
  if (id === undefined || rest.length > 0 || !Number.isSafeInteger(expiresAtMs)) return undefined;
  return { id, expiresAtMs };
}
