import { onClientCore } from './pin.ts';

test('a command runs on the core of the client where it can be pinned, and as it is elsewhere', () => {
  expect(onClientCore(['node', 'x.ts'], true)).toEqual(['taskset', '-c', '0', 'node', 'x.ts']);
  expect(onClientCore(['node', 'x.ts'], false)).toEqual(['node', 'x.ts']);
});
