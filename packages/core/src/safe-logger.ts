import type { GuardLogger } from './logger.js';

/**
 * The same logger, except that one that throws, or whose promise rejects, harms nobody: what it was told is lost. Only `info` and
 * `warn` are left of it, called as its methods.
 */
export function safeLogger(logger: GuardLogger): GuardLogger {
  return {
    info: (...line) => void attempt(() => logger.info(...line)),
    warn: (...line) => void attempt(() => logger.warn(...line)),
  };
}

async function attempt(log: () => unknown): Promise<void> {
  try {
    await log();
  } catch {
    // What reports failures has failed itself: there is nobody left to tell.
  }
}
