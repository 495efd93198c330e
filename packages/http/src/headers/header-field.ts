/** One header of a response. */
export type HeaderField = readonly [name: string, value: string];
