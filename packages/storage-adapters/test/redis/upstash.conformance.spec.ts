import { startRedis, startUpstashBridge } from '@frontmcp/guard-services';

import { createUpstashStorage } from '../../src/upstash.js';
import { createVercelKvStorage } from '../../src/vercel-kv.js';
import { createTestLogger } from '../test-logger.js';
import { registerOnServices } from './register-on-services.js';

const starting = startRedis();
const bridging = starting.then((redis) => startUpstashBridge(redis));
const bridgingWithoutTime = starting.then((redis) =>
  startUpstashBridge(redis, { timeInScripts: false }),
);

afterAll(async () => {
  await (await bridging).stop();
  await (await bridgingWithoutTime).stop();
  await (await starting).stop();
});

const options = { logger: createTestLogger(), timeoutMs: 30_000 };

registerOnServices('[ST-22] [ST-24] [ST-25] Upstash with publish/subscribe', async () => {
  const { url, token } = await bridging;
  return createUpstashStorage({ url, token, enablePubSub: true }, options);
});

registerOnServices(
  '[ST-22] Upstash, whose scripts cannot read the time',
  async () => {
    const { url, token } = await bridgingWithoutTime;
    return createUpstashStorage({ url, token }, options);
  },
  { without: ['pubSub'] },
);

registerOnServices(
  '[ST-21] [ST-24] Vercel KV',
  async () => {
    const { url, token } = await bridging;
    return createVercelKvStorage({ url, token }, options);
  },
  { without: ['pubSub'] },
);
