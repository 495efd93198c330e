import { encodeRequest } from './encode-request.js';

test('each request has its own arguments, also after another one', () => {
  const request = { max: 10, windowMs: 60_000, cost: 1 };
  const args = ['10', '60000', '1', '8192'];
  expect(encodeRequest(request)).toEqual(args);
  expect(encodeRequest({ ...request })).toEqual(args);
  expect(encodeRequest({ ...request, max: 11 })).toEqual(['11', '60000', '1', '8192']);
  expect(encodeRequest({ ...request, cost: 2 })).toEqual(['10', '60000', '2', '8192']);
  expect(encodeRequest({ ...request, windowMs: 1_000 })).toEqual(['10', '1000', '1', '1024']);
  expect(encodeRequest(request)).toEqual(args);
});
