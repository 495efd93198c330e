import * as entry from './index.js';

it('[IP-15] exports exactly the filter and its errors', () => {
  expect(Object.keys(entry).sort()).toEqual(['IpBlockedError', 'IpFilter', 'IpNotAllowedError']);
});
