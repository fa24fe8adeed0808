import { expect, test } from 'vitest';
import { ipPrefixes } from './ip-prefixes.ts';

const prefixesOf = (address: string) => ipPrefixes(address).map(({ prefix }) => prefix);

test.each([
  ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1:0::/56', '2001:db8:1::/48']],
  ['2001:0DB8:1:a1b2::9', ['2001:db8:1:a1b2::/64', '2001:db8:1:a100::/56', '2001:db8:1::/48']],
  ['2001:db8::1', ['2001:db8:0:0::/64', '2001:db8:0:0::/56', '2001:db8:0::/48']],
  ['::1', ['0:0:0:0::/64', '0:0:0:0::/56', '0:0:0::/48']],
  ['fe80::1%eth0', ['fe80:0:0:0::/64', 'fe80:0:0:0::/56', 'fe80:0:0::/48']],
])('counts IPv6 by /64, /56 and /48: %s', (address, prefixes) => {
  expect(prefixesOf(address)).toEqual(prefixes);
});

test('gives a larger range a larger quota, but less than the sum for its /64s', () => {
  expect(ipPrefixes('2001:db8::1').map(({ quotaFactor }) => quotaFactor)).toEqual([1, 4, 16]);
});

test.each([
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:cb00:7109', '203.0.113.9'],
  ['0:0:0:0:0:ffff:203.0.113.9', '203.0.113.9'],
  ['203.0.113.9', '203.0.113.9'],
  ['unknown', 'unknown'],
  ['host:port', 'host:port'],
])('treats IPv4 addresses and other texts as one range each: %s is %s', (address, range) => {
  expect(ipPrefixes(address)).toEqual([{ prefix: range, quotaFactor: 1 }]);
});
