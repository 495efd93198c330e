import { RespError, RespPush, type RespValue } from './resp-value.ts';

/** Not a value: the bytes of one are not all there yet. */
class Incomplete extends Error {}

/**
 * Reads RESP2 and RESP3 values from a stream that is cut anywhere.
 *
 * @throws from `push` if the bytes are not RESP, which includes inline commands; the parser cannot
 * be used after that.
 */
export class RespParser {
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;

  /** The values that are complete with this chunk, in order. */
  push(chunk: Buffer): RespValue[] {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    this.#at = 0;
    const values: RespValue[] = [];
    let read = 0;
    try {
      while (this.#at < this.#bytes.length) {
        values.push(this.#value());
        read = this.#at;
      }
    } catch (error) {
      if (!(error instanceof Incomplete)) throw error;
    }
    this.#bytes = this.#bytes.subarray(read);
    return values;
  }

  #value(): RespValue {
    const line = this.#line();
    const rest = line.slice(1);
    switch (line[0]) {
      case '+':
      case '(':
      case ',':
        return rest;
      case '-':
        return new RespError(rest);
      case ':':
        return Number(rest);
      case '#':
        return rest === 't';
      case '_':
        return null;
      case '$':
        return this.#bulk(Number(rest));
      case '=':
        return this.#bulk(Number(rest))?.subarray('txt:'.length) ?? null;
      case '!':
        return new RespError(this.#bulk(Number(rest))?.toString());
      case '*':
      case '~':
        return this.#list(Number(rest));
      case '%':
        return this.#list(2 * Number(rest));
      case '>':
        return new RespPush(this.#list(Number(rest)) ?? []);
      case '|':
        this.#list(2 * Number(rest));
        return this.#value();
      default:
        throw new Error(`Cannot read ${JSON.stringify(line.slice(0, 40))} as RESP: unknown type`);
    }
  }

  #line(): string {
    if (this.#at < this.#bytes.length && !isType(this.#bytes[this.#at])) {
      throw new Error(`Cannot read byte ${String(this.#bytes[this.#at])} as a RESP type`);
    }
    const end = this.#bytes.indexOf('\r\n', this.#at);
    if (end < 0) throw new Incomplete();
    const line = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end + 2;
    return line;
  }

  #bulk(length: number): Buffer | null {
    if (length < 0) return null;
    const end = this.#at + length;
    if (this.#bytes.length < end + 2) throw new Incomplete();
    const bytes = this.#bytes.subarray(this.#at, end);
    this.#at = end + 2;
    return bytes;
  }

  #list(length: number): RespValue[] | null {
    return length < 0 ? null : Array.from({ length }, () => this.#value());
  }
}

function isType(byte: number | undefined): boolean {
  return byte !== undefined && '+(,-:#_$=!*~%>|'.includes(String.fromCharCode(byte));
}
