/**
 * Loaded before a snippet that speaks to Redis: what connects to port 6379 of this machine, as documentation has it, reaches the
 * server of `REDIS_URL`. JavaScript, since it is a module of the snippet's process.
 */
import { Socket } from 'node:net';

const { connect } = Socket.prototype;
const { hostname: host, port } = new URL(process.env.REDIS_URL);

Socket.prototype.connect = function (...args) {
  // `net.connect` gives its arguments as one array.
  const [options, ...others] = args.flat();
  const local = options?.host === 'localhost' || options?.host === '127.0.0.1';
  if (!local || Number(options.port) !== 6379) return connect.apply(this, args);
  return connect.call(this, { ...options, host, port }, ...others);
};
