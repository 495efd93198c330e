import { createServer } from 'node:net';
import { loopback } from '../process/free-port.ts';
import { listen } from '../process/listen.ts';
import type { Hold } from './held-queue.ts';
import { ProxyLink, type LinkOptions } from './proxy-link.ts';
import type { TcpProxy } from './tcp-proxy.ts';
import { Traffic } from './traffic.ts';

/** Starts a proxy in front of the target, which need not be there yet. */
export async function startTcpProxy(target: LinkOptions['target']): Promise<TcpProxy> {
  const { host, port: targetPort } = target;
  const hold: Hold = { delayMs: 0, stalled: false };
  const traffic = new Traffic();
  const links = new Set<ProxyLink>();
  const losers = new Set<ProxyLink>();
  let refusing = false;
  let toDrop = 0;

  const options: LinkOptions = {
    target: { host, port: targetPort },
    hold,
    traffic,
    swallow: (link, replies) => {
      if (toDrop === 0) return false;
      losers.add(link);
      toDrop = Math.max(0, toDrop - replies);
      if (toDrop === 0) for (const loser of losers) loser.cut();
      return true;
    },
    onClose: (link) => {
      links.delete(link);
      losers.delete(link);
    },
  };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    if (refusing) client.destroy();
    else links.add(new ProxyLink(client, options));
  });
  const port = await listen(server);

  const change = (next: Partial<Hold>): void => {
    Object.assign(hold, next);
    for (const link of links) link.release();
  };
  const cut = (): void => links.forEach((link) => link.cut());
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      cut();
    });
  let stopping: Promise<void> | undefined;
  return {
    host: loopback,
    port,
    counts: traffic.counts,
    delay: (ms) => change({ delayMs: ms }),
    stall: () => change({ stalled: true }),
    flow: () => change({ stalled: false }),
    cut,
    refuse: () => void (refusing = true),
    accept: () => void (refusing = false),
    dropReplies: (n = 1) => {
      toDrop = n;
      losers.clear();
    },
    commands: () => traffic.commands.map((command) => [...command]),
    resetCommands: () => void (traffic.commands = []),
    stop: () => (stopping ??= stop()),
  };
}
