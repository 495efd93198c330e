/** Resolves when a condition holds. It leaves the event loop its turn in between, which a promise alone does not. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}
