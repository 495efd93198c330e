import type { GuardLogger } from '@frontmcp/guard-core';

/** The same logger, but one that throws harms nobody: what it was told is lost, and the guard goes on. */
export function safeLogger(logger: GuardLogger | undefined): GuardLogger | undefined {
  if (logger === undefined) return undefined;
  const attempt = (tell: () => void): void => {
    try {
      tell();
    } catch {
      // A logger that throws has nowhere to be reported to.
    }
  };
  return {
    info: (message, ...details) => {
      attempt(() => {
        logger.info(message, ...details);
      });
    },
    warn: (message, ...details) => {
      attempt(() => {
        logger.warn(message, ...details);
      });
    },
  };
}
