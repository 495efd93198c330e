import type { ServerResponse } from 'node:http';
import { openConnection } from '../resp/resp-connection.ts';
import { isList, RespError, toText, type RespValue } from '../resp/resp-value.ts';
import type { RedisAddress } from './command-runner.ts';

/**
 * Subscribes and answers with server-sent events, one for each message and for each channel that is
 * subscribed: `data: message,<channel>,<text>`. A text of several lines is several `data` lines.
 * The stream ends with either side's connection.
 */
export function streamEvents(
  redis: RedisAddress,
  command: readonly string[],
  response: ServerResponse,
): void {
  const end = (status: number, error: string): void => {
    if (response.headersSent) {
      response.end();
      return;
    }
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error }));
  };
  const onValue = (value: RespValue): void => {
    if (value instanceof RespError) {
      end(400, value.message);
      return;
    }
    if (!response.headersSent) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    }
    const event = isList(value) ? value.map(toText).join(',') : String(toText(value));
    response.write(`${event.replace(/^/gm, 'data: ')}\n\n`);
  };
  const connection = openConnection(
    { host: redis.host, port: redis.port },
    { onValue, onClose: () => end(503, 'ERR the connection to Redis is closed') },
  );
  connection.send(...command);
  response.on('close', () => connection.close());
}
