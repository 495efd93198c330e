import {
  channelOfProcess,
  channelOfTicket,
  decodeHandOver,
  encodeHandOver,
} from './hand-over-message.js';

test('a hand-over is read as it was written', () => {
  expect(decodeHandOver(encodeHandOver('abc.1z', 1_700_000_000_000))).toEqual({
    id: 'abc.1z',
    expiresAtMs: 1_700_000_000_000,
  });
});

test.each(['', 'abc.1', 'abc.1 x', 'abc.1 1 2', 'abc.1 1.5', 'abc.1 1e400'])(
  'anything else is nothing: %p',
  (message) => {
    expect(decodeHandOver(message)).toBeUndefined();
  },
);

test('the channel of a ticket is that of its process', () => {
  expect(channelOfTicket('abc.1z')).toBe(channelOfProcess('abc'));
  expect(channelOfProcess('abc')).toBe('guard:sem:abc');
});
