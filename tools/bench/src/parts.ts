import type { Part } from './findings.ts';

interface PartEntry {
  /** Imported in the part's own process only. */
  readonly load: () => Promise<Part>;
  /** Flags that the process of the part is started with. */
  readonly nodeFlags?: readonly string[];
}

/** The parts of the benchmarks, in the order of the page. */
export const parts: Readonly<Record<string, PartEntry>> = {
  memory: { load: async () => (await import('./memory.ts')).benchMemory },
  redis: { load: async () => (await import('./redis.ts')).benchRedis },
  semaphore: { load: async () => (await import('./semaphore.ts')).benchSemaphore },
  timeout: { load: async () => (await import('./timeout.ts')).benchTimeout },
  ip: { load: async () => (await import('./ip.ts')).benchIp },
  'cold-start': { load: async () => (await import('./cold-start.ts')).benchColdStart },
  http: { load: async () => (await import('./http.ts')).benchHttp },
  size: { load: async () => (await import('./size.ts')).benchSize },
  growth: {
    load: async () => (await import('./growth.ts')).benchGrowth,
    nodeFlags: ['--max-old-space-size=12000'],
  },
};
