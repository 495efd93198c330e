import { registerInWorker } from './register-in-worker.js';
import { startTestWorker } from './start-test-worker.js';

const starting = startTestWorker();
afterAll(async () => (await starting).stop());

registerInWorker('Cloudflare KV', 'kv', () => starting);
registerInWorker('Cloudflare KV that refuses to be written often', 'mergingKv', () => starting);
