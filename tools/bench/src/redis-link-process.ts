/**
 * A link to a server that may be some way off: `redis-link-process.ts <port of the server>`. Prints the port that it listens on, and takes
 * the milliseconds each way as lines. What it holds back it watches for by turns of the event loop, since timers count whole ones.
 */
import { connect, createServer, type Socket } from 'node:net';

const serverPort = Number(process.argv[2]);
let delayMs = 0;
const held: { readonly dueAt: number; readonly deliver: () => void }[] = [];

function watch(): void {
  for (let next = held[0]; next !== undefined && next.dueAt <= performance.now(); next = held[0]) {
    held.shift();
    next.deliver();
  }
  if (held.length > 0) setImmediate(watch);
}

function pass(from: Socket, to: Socket): void {
  from.on('data', (chunk) => {
    held.push({ dueAt: performance.now() + delayMs, deliver: () => to.write(chunk) });
    if (held.length === 1) setImmediate(watch);
  });
  from.on('close', () => to.destroy());
  from.on('error', () => to.destroy());
}

const listener = createServer({ noDelay: true }, (client) => {
  const server = connect({ port: serverPort, host: '127.0.0.1', noDelay: true });
  pass(client, server);
  pass(server, client);
});
listener.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${String((listener.address() as { port: number }).port)}\n`);
});
process.stdin.on('data', (line) => (delayMs = Number(line)));
process.stdin.on('end', () => process.exit());
