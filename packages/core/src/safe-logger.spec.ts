import { safeLogger } from './index.js';

describe('safeLogger', () => {
  it('hands everything on, and calls the logger as its own', () => {
    const logger = {
      heard: [] as unknown[],
      info(...given: unknown[]): void {
        this.heard.push(given);
      },
      warn(...given: unknown[]): void {
        this.heard.push(given);
      },
    };
    const safe = safeLogger(logger);
    safe.info('a', 1, 2);
    safe.warn('b', 3);
    expect(logger.heard).toEqual([
      ['a', 1, 2],
      ['b', 3],
    ]);
  });

  it.each(['info', 'warn'] as const)('keeps to itself what %s throws or rejects with', (level) => {
    const safe = (log: () => unknown): void => {
      const silent = { info: () => undefined, warn: () => undefined };
      safeLogger({ ...silent, [level]: log })[level]('a');
    };
    const fail = (): never => {
      throw new Error('Logger is broken');
    };
    expect(() => safe(fail)).not.toThrow();
    expect(() => safe(async () => Promise.resolve().then(fail))).not.toThrow();
  });
});
