import { RespParser } from '../resp/resp-parser.ts';
import { RespPush, toText } from '../resp/resp-value.ts';

export interface ProxyCounts {
  /** Accepted since the start; one that was refused does not count. */
  readonly connections: number;
  readonly bytesToServer: number;
  readonly bytesToClient: number;
  /** What the server was sent in one piece; a pipeline may come in several. */
  readonly chunksToServer: number;
  readonly chunksToClient: number;
  /** How often a connection was sent a command while it owed no reply. */
  readonly roundTrips: number;
}

/** What went through a proxy, over all of its connections. */
export class Traffic {
  readonly counts: { -readonly [Name in keyof ProxyCounts]: number } = {
    connections: 0,
    bytesToServer: 0,
    bytesToClient: 0,
    chunksToServer: 0,
    chunksToClient: 0,
    roundTrips: 0,
  };
  commands: string[][] = [];
}

/** Reads both directions of one connection, as long as they are plain RESP. */
export class ConnectionTraffic {
  readonly #total: Traffic;
  #fromClient: RespParser | undefined = new RespParser();
  #fromServer: RespParser | undefined = new RespParser();
  #owed = 0;

  constructor(total: Traffic) {
    this.#total = total;
    total.counts.connections += 1;
  }

  toServer(chunk: Buffer): void {
    const { counts, commands } = this.#total;
    counts.bytesToServer += chunk.length;
    counts.chunksToServer += 1;
    const read = parse(this.#fromClient, chunk);
    if (read === undefined) this.#fromClient = undefined;
    const sent = (read ?? []).map(toText).filter(isCommand);
    if (sent.length > 0 && this.#owed === 0) counts.roundTrips += 1;
    this.#owed += sent.length;
    for (const [name = '', ...args] of sent) commands.push([name.toLowerCase(), ...args]);
  }

  /** @returns how many replies are complete with this chunk; any chunk is one if it is not RESP. */
  fromServer(chunk: Buffer): number {
    const read = parse(this.#fromServer, chunk);
    if (read === undefined) this.#fromServer = undefined;
    const replies = read?.filter((value) => !(value instanceof RespPush)).length ?? 1;
    this.#owed = Math.max(0, this.#owed - replies);
    return replies;
  }

  toClient(chunk: Buffer): void {
    this.#total.counts.bytesToClient += chunk.length;
    this.#total.counts.chunksToClient += 1;
  }
}

/** `undefined` if the bytes are not RESP, which is so for TLS and for HTTP. */
function parse(
  parser: RespParser | undefined,
  chunk: Buffer,
): ReturnType<RespParser['push']> | undefined {
  try {
    return parser?.push(chunk);
  } catch {
    return undefined; // Told by the return value; the bytes are passed on in any case.
  }
}

function isCommand(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
