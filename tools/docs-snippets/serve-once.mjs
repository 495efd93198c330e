/* global fetch -- what Node has */
/**
 * Loaded before a snippet that serves: has its server listen on a free loopback port, asks it once, and ends the process. The exit
 * code is 0 when it gave the path that is the argument of the process; without one, when it answered with anything but a failure
 * of the server. JavaScript, since it is a module of the snippet's process.
 */
import { Server } from 'node:net';

const { listen } = Server.prototype;
const path = process.argv[2];
/** From this status on an answer is none. */
const failure = path === undefined ? 500 : 400;
let answered = false;

Server.prototype.listen = function (...args) {
  this.once('listening', () => void askOnce(this.address().port));
  const callback = args.find((arg) => typeof arg === 'function');
  return listen.call(this, 0, '127.0.0.1', callback);
};

async function askOnce(port) {
  try {
    const { status } = await fetch(`http://127.0.0.1:${port}${path ?? '/'}`);
    if (status >= failure) throw new Error(`It answers with ${status}`);
    answered = true;
    process.exit(0);
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
}

process.on('exit', (code) => {
  if (answered || code !== 0) return;
  console.error('It serves nobody');
  process.exitCode = 1;
});
