/**
 * A body that is read through, and says when it has ended: read to its end, failed, cancelled by its reader, or cut off by
 * the signal. One that is cut off fails with the signal's reason: it must not look complete.
 */
export function holdBody(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  onEnd: () => Promise<void>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let cutOff = (): void => undefined;
  const end = (): Promise<void> => {
    signal.removeEventListener('abort', cutOff);
    return onEnd();
  };
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start(controller) {
      cutOff = () => {
        controller.error(signal.reason);
        void reader.cancel(signal.reason).catch(() => undefined);
        void end();
      };
      if (signal.aborted) cutOff();
      else signal.addEventListener('abort', cutOff);
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (signal.aborted) return;
        if (!done) {
          controller.enqueue(value);
          return;
        }
        await end();
        controller.close();
      } catch (error) {
        await end();
        controller.error(error);
      }
    },
    async cancel(reason) {
      await end();
      await reader.cancel(reason);
    },
  };
  // Nothing is read ahead of the client: what a slow one has not taken is still to come.
  return new ReadableStream(source, { highWaterMark: 0 });
}
