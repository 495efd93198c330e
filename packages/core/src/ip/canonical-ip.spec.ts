import { canonicalIp } from './canonical-ip.js';

describe('canonicalIp', () => {
  it.each([
    ['1.2.3.4', '1.2.3.4'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::FFFF:102:304', '1.2.3.4'],
    ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['000:0:0000::01', '::1'],
  ])('writes %s as %s', (text, canonical) => {
    expect(canonicalIp(text)).toBe(canonical);
  });

  it.each([undefined, '', 'unknown', '1.2.3.4:80', 'fe80::1%eth0', '01.2.3.4'])(
    'gives undefined for %j',
    (text) => {
      expect(canonicalIp(text)).toBeUndefined();
    },
  );
});
