import fc from 'fast-check';

import { decode, encode } from './wire.js';

const plain = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(
      fc.double(),
      fc.constantFrom(Infinity, -Infinity, NaN, -0, 0, null, true),
      fc.string(),
      fc.constantFrom('%', '%%', '\uD800', '__proto__'),
    ),
    fc.array(tie('value')),
    fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom('%', '%%', '%a', '__proto__', 'toString')),
      tie('value'),
      { noNullPrototype: true },
    ),
  ),
})).value;

it('gives back what it was given, every number included', () => {
  fc.assert(fc.property(plain, (value) => expect(decode(encode(value))).toEqual(value)));
});

it('gives undefined back, and nothing where an object had it', () => {
  expect(decode(encode(undefined))).toBeUndefined();
  expect((decode(encode([1, undefined])) as unknown[])[1]).toBeUndefined();
  expect(decode(encode({ a: undefined, b: 1 }))).toEqual({ b: 1 });
});

it.each([[new Map()], [new Set()], [1n], [() => 1], [Symbol('s')], [{ in: [new Map()] }]])(
  'is a TypeError for what is not plain data: %p',
  (value) => {
    expect(() => encode(value)).toThrow(TypeError);
  },
);
