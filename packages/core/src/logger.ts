/** Where a guard says what an operator should know: a subset of `console`, and of most loggers. */
export interface GuardLogger {
  /**
   * What went well again, such as a storage that answers once more. `details` are errors and other values, for the log as they
   * are.
   */
  info(message: string, ...details: unknown[]): void;
  /** What somebody should look at: a storage that is down, slots freed by force, a handler that threw. */
  warn(message: string, ...details: unknown[]): void;
}
