import type { PartPage } from './part-page.ts';
import { coldStartPage } from './parts/cold-start.ts';
import { growthPage } from './parts/growth.ts';
import { httpPage } from './parts/http.ts';
import { ipPage } from './parts/ip.ts';
import { memoryPage } from './parts/memory.ts';
import { redisPage } from './parts/redis.ts';
import { semaphorePage } from './parts/semaphore.ts';
import { sizePage } from './parts/size.ts';
import { timeoutPage } from './parts/timeout.ts';

/** The pages of the parts, in their order. */
export const pages: Readonly<Record<string, PartPage>> = {
  memory: memoryPage,
  redis: redisPage,
  semaphore: semaphorePage,
  timeout: timeoutPage,
  ip: ipPage,
  http: httpPage,
  'cold-start': coldStartPage,
  size: sizePage,
  growth: growthPage,
};
