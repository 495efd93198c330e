/** A signal of its own that follows others, and how to stop following. */
export interface JoinedSignal {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
  /** Leaves no listener on the others. */
  dispose(): void;
}

/**
 * A signal that aborts as the first of `sources` does, with its reason. Unlike `AbortSignal.any` it lets go of long-lived
 * sources as soon as it is disposed of.
 */
export function joinSignals(sources: readonly AbortSignal[]): JoinedSignal {
  const controller = new AbortController();
  const followed: { readonly source: AbortSignal; readonly listener: () => void }[] = [];
  const dispose = (): void => {
    for (const { source, listener } of followed) source.removeEventListener('abort', listener);
    followed.length = 0;
  };
  const abort = (reason: unknown): void => {
    dispose();
    controller.abort(reason);
  };
  for (const source of sources) {
    if (source.aborted) {
      abort(source.reason);
      break;
    }
    const listener = (): void => {
      abort(source.reason);
    };
    source.addEventListener('abort', listener);
    followed.push({ source, listener });
  }
  return { signal: controller.signal, abort, dispose };
}
