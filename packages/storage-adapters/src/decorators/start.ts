/** Runs something that gives a promise, and turns a throw into a rejection. */
export function start<T>(run: () => Promise<T>): Promise<T> {
  try {
    return run();
  } catch (error) {
    return Promise.reject(error);
  }
}
