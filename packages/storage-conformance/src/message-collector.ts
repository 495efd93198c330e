import type { MessageHandler } from '@frontmcp/guard-core';

const PATIENCE_MS = 5_000;

/** A handler that keeps what it hears, and can be waited on. */
export interface MessageCollector {
  readonly handler: MessageHandler;
  /** `<channel> <message>` in order. */
  readonly heard: readonly string[];
  /** Resolves when so many messages were heard. Rejects after five seconds. */
  waitFor(count: number): Promise<void>;
}

export function collectMessages(): MessageCollector {
  const heard: string[] = [];
  let waiting: { readonly count: number; readonly done: () => void } | undefined;
  return {
    heard,
    handler: (message, channel) => {
      heard.push(`${channel} ${message}`);
      if (waiting !== undefined && heard.length >= waiting.count) waiting.done();
    },
    waitFor: (count) =>
      new Promise<void>((resolve, reject) => {
        if (heard.length >= count) {
          resolve();
          return;
        }
        const timer = setTimeout(() => {
          reject(
            new Error(`Expected ${count} messages, heard ${heard.length}: ${heard.join(', ')}`),
          );
        }, PATIENCE_MS);
        waiting = {
          count,
          done: () => {
            clearTimeout(timer);
            resolve();
          },
        };
      }),
  };
}
