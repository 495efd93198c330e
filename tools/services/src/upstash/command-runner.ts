import { openConnection, type RespConnection } from '../resp/resp-connection.ts';
import { isList, RespError, type RespValue } from '../resp/resp-value.ts';

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
}

type Command = readonly string[];

/** Runs commands on connections that it opens when they are needed and not there. */
export interface CommandRunner {
  /** The replies, errors among them, in order. @throws if the connection ends before. */
  run(commands: readonly Command[]): Promise<RespValue[]>;
  /** The same in MULTI and EXEC. @throws RespError if nothing of it has been run. */
  transaction(commands: readonly Command[]): Promise<RespValue[]>;
  close(): void;
}

const withoutTime = 'guard-without-time';

/**
 * Without `timeInScripts`, everything but TIME itself is run as a user that may not run TIME, so
 * that a script which does is stopped by the server, at the call and with what it has done before.
 */
export function createCommandRunner(redis: RedisAddress, timeInScripts: boolean): CommandRunner {
  const forTime = reopened(redis, () => undefined);
  const forAll = timeInScripts
    ? forTime
    : reopened(redis, (connection) => {
        const rules = 'on nopass ~* &* +@all -time'.split(' ');
        const login = [
          connection.call('ACL', 'SETUSER', withoutTime, ...rules),
          connection.call('AUTH', withoutTime, ''),
        ];
        Promise.all(login).catch(() => connection.close());
      });
  const call = (command: Command): Promise<RespValue> => {
    const connection = command[0]?.toUpperCase() === 'TIME' ? forTime : forAll;
    return connection
      .get()
      .call(...command)
      .catch(asReply);
  };
  return {
    run: (commands) => Promise.all(commands.map(call)),
    transaction: async (commands) => {
      const connection = forAll.get();
      const queued = [['MULTI'], ...commands].map((each) =>
        connection.call(...each).catch(asReply),
      );
      const [replies] = await Promise.all([connection.call('EXEC'), ...queued]);
      return isList(replies) ? [...replies] : [];
    },
    close: () => [forTime, forAll].forEach((connection) => connection.close()),
  };
}

interface Reopened {
  get(): RespConnection;
  close(): void;
}

function reopened(redis: RedisAddress, prepare: (connection: RespConnection) => void): Reopened {
  let current: RespConnection | undefined;
  return {
    get: () => {
      if (current === undefined || current.closed) {
        current = openConnection({ host: redis.host, port: redis.port, noDelay: true });
        prepare(current);
      }
      return current;
    },
    close: () => current?.close(),
  };
}

function asReply(error: unknown): RespError {
  if (error instanceof RespError) return error;
  throw error;
}
