/** The code and the status of the error that something rejects with, or that it did not reject. */
export async function refusalOf(work: () => unknown): Promise<string> {
  try {
    await work();
    return 'admitted';
  } catch (error) {
    const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
    return `${String(code)} ${String(statusCode)}`;
  }
}
