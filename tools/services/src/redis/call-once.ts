import { openConnection } from '../resp/resp-connection.ts';
import { toText } from '../resp/resp-value.ts';

/** Sends one command over a new connection to the Unix socket, and returns its reply as text. */
export async function callOnce(
  path: string,
  password: string,
  args: readonly string[],
): Promise<unknown> {
  const connection = openConnection({ path });
  try {
    const login = password === '' ? undefined : connection.call('AUTH', password);
    const reply = connection.call(...args);
    await Promise.all([login, reply]);
    return toText(await reply);
  } finally {
    connection.close();
  }
}
