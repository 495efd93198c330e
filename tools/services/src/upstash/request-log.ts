import type { BridgeRequest, BridgeRequests } from './upstash-bridge.ts';

export interface RequestLog extends BridgeRequests {
  add(request: BridgeRequest): void;
}

export function createRequestLog(): RequestLog {
  let all: BridgeRequest[] = [];
  return {
    get count() {
      return all.length;
    },
    get commands() {
      return all.reduce((sum, { commands }) => sum + commands.length, 0);
    },
    last: (n = 1) => (n > 0 ? all.slice(-n) : []),
    reset: () => void (all = []),
    add: (request) => void all.push(request),
  };
}
