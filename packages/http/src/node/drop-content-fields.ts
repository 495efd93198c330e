const CONTENT_FIELDS = [
  'content-type',
  'content-length',
  'content-encoding',
  'content-language',
  'content-range',
  'content-disposition',
  'transfer-encoding',
  'trailer',
  'etag',
  'last-modified',
];

/** A response as node:http has it, or its framework. */
interface Sent {
  getHeader(name: string): unknown;
  removeHeader(name: string): unknown;
}

/**
 * Takes back what a handler has said of the body that it was about to send: none of it is true of the one that is sent in its place,
 * and with the length of another body a client would wait for the rest.
 */
export function dropContentFields(response: Sent): void {
  for (const name of CONTENT_FIELDS) {
    // node:http takes even the removal of what is not there for a wish not to have it.
    if (response.getHeader(name) !== undefined) response.removeHeader(name);
  }
}
