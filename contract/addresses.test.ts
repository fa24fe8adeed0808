import { expect, test } from 'vitest';
import { neighbourhood } from './addresses.ts';

test.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('neighbours in IPv6 count as one: %s is in %s', (address, place) => {
  expect(neighbourhood(address)).toBe(place);
});

test.each([
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['203.0.113.9', '203.0.113.9'],
  ['unknown', 'unknown'],
  ['host:port', 'host:port'],
])('an address of IPv4 counts alone, and what is none is left as it is: %s is %s', (address, itself) => {
  expect(neighbourhood(address)).toBe(itself);
});
