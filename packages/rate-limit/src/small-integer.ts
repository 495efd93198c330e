/**
 * The same number, held in the word itself where it fits. V8 boxes what comes out of a division or a product, 16 bytes
 * each; counts and times within a window mostly fit.
 */
export function smallInteger(value: number): number {
  const word = value | 0;
  return word === value ? word : value;
}
