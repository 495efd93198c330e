export { guardHono, type HonoGuard, type HonoGuardOptions } from './guard-hono.js';
