/** More than anything takes here. Whoever waited for ever would outlive the test that failed by it. */
const LONGEST_MS = 25_000;

/**
 * Resolves when a condition holds. It leaves the event loop its turn in between, which a promise alone does not.
 *
 * @throws when it does not come to hold.
 */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + LONGEST_MS;
  while (!(await holds())) {
    if (performance.now() > endMs) throw new Error(`Cannot wait longer than ${LONGEST_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
