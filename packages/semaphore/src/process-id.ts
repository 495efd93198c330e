/** Random, of 72 bits, in characters that no separator of a ticket or channel is among. */
export function createProcessId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  let id = '';
  for (const byte of bytes) id += byte.toString(16).padStart(2, '0');
  return id;
}
