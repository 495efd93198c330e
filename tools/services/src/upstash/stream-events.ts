import type { ServerResponse } from 'node:http';
import { openConnection } from '../resp/resp-connection.ts';
import { isList, RespError, toText } from '../resp/resp-value.ts';
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
  const connection = openConnection(
    { host: redis.host, port: redis.port },
    {
      onValue: (value) => {
        if (value instanceof RespError) {
          response.writeHead(400, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ error: value.message }));
          return;
        }
        if (!response.headersSent) {
          response.writeHead(200, {
            'content-type': 'text/event-stream',
            'cache-control': 'no-cache',
          });
        }
        const event = isList(value) ? value.map(toText).join(',') : String(toText(value));
        response.write(`${event.replace(/^/gm, 'data: ')}\n\n`);
      },
      onClose: () => response.end(),
    },
  );
  connection.send(...command);
  response.on('close', () => connection.close());
}
