/** Where a guard says what an operator should know: a subset of `console`, and of most loggers. */
export interface GuardLogger {
  info(message: string, ...details: unknown[]): void;
  warn(message: string, ...details: unknown[]): void;
}
