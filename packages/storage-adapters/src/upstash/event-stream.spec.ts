import { readEvents } from './event-stream.js';

async function eventsOf(...chunks: (string | Uint8Array)[]): Promise<string[]> {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) {
        controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
      }
      controller.close();
    },
  });
  const events: string[] = [];
  await readEvents(body, (data) => events.push(data));
  return events;
}

test.each([
  ['one event', ['data: a\n\n'], ['a']],
  ['events in one chunk', ['data: a\n\ndata: b\n\n'], ['a', 'b']],
  ['an event in several chunks', ['da', 'ta: a', 'b\n', '\n'], ['ab']],
  ['several lines of one event', ['data: a\ndata: b\n\n'], ['a\nb']],
  ['no space, and one of two', ['data:a\ndata:  b\n\n'], ['a\n b']],
  ['an empty line of data', ['data: \n\n'], ['']],
  ['lines that end in CR and LF', ['data: a\r\n\r\ndata: b\r\n\r\n'], ['a', 'b']],
  ['a CR and an LF that come apart', ['data: a\r', '\ndata: b\r', '\n\r', '\n'], ['a\nb']],
  ['lines that end in CR', ['data: a\rdata: b\r\rdata: c\r\r:'], ['a\nb', 'c']],
  ['comments and other fields', [': ping\n\nevent: x\nid: 1\ndata: a\n\n'], ['a']],
  ['an event without its end', ['data: a\n\ndata: b\n'], ['a']],
  ['nothing', [], []],
])('%s', async (_, chunks, events) => {
  expect(await eventsOf(...chunks)).toEqual(events);
});

test('characters that come in several chunks', async () => {
  const bytes = new TextEncoder().encode('data: ü💩\n\n');
  const chunks = Array.from(bytes, (byte) => Uint8Array.of(byte));
  expect(await eventsOf(...chunks)).toEqual(['ü💩']);
});
