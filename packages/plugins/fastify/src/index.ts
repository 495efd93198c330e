export { guardFastify, type FastifyGuardOptions } from './guard-fastify.js';
