import { registerInWorker } from './register-in-worker.js';
import { startTestWorker } from './start-test-worker.js';

const starting = startTestWorker();
afterAll(async () => (await starting).stop());

registerInWorker('Durable Objects', 'objects', () => starting);
registerInWorker('Durable Objects with an index', 'indexedObjects', () => starting);
