import { mergeField } from '../guard/merge-field.js';
import { fieldKey } from '../headers/field-key.js';
import type { HeaderField } from '../headers/header-field.js';

/** A header field as node:http has it. */
export type HeaderValue = number | string | readonly string[];

/** What header fields are set on: a response of node:http, or something that can be made look like one. */
export interface FieldSink {
  /** What is set so far, whatever the case of the name. */
  getHeader(name: string): HeaderValue | undefined;
  /** Sets a header in the place of what was set. @throws once the head is sent. */
  setHeader(name: string, value: HeaderValue): unknown;
}

/** Sets header fields of a response. Lists are added to, as guards within guards do; other fields are replaced. */
export function setFields(sink: FieldSink, fields: readonly HeaderField[]): void {
  for (const [name, value] of fields) {
    const earlier = sink.getHeader(fieldKey(name));
    sink.setHeader(
      name,
      earlier === undefined ? value : mergeField(name, earlier.toString(), value),
    );
  }
}
