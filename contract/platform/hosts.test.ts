import { expect, test } from 'vitest';
import { hasMultipleHosts, hostnameOf, isOwnHost } from './hosts.ts';

test('detects a second Host header in any case', () => {
  expect(hasMultipleHosts(['Host', 'a.example', 'Accept', '*/*', 'hOsT', 'b.example'])).toBe(true);
  expect(hasMultipleHosts(['Host', 'a.example', 'Hint', 'host', 'X', 'Host'])).toBe(false);
  expect(hasMultipleHosts([])).toBe(false);
});

const names = [hostnameOf('https://shop.example:8443'), hostnameOf('http://[2001:db8::5]')];

test.each([
  'shop.example',
  'SHOP.example:8443',
  'localhost:3000',
  'mail.localhost',
  '127.0.0.1:80',
  '127.1.2.3',
  '[::1]:3000',
  '[2001:db8::5]',
  '192.0.2.7:3000',
])('accepts %s', (host) => {
  expect(isOwnHost(host, names, '::ffff:192.0.2.7')).toBe(true);
});

test.each([
  undefined,
  '',
  'evil.example',
  'shop.example.evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'shop.example@evil.example',
  'evil.example:80:80',
  'localhost/evil',
  '192.0.2.8',
  '[::2]',
])('rejects %s', (host) => {
  expect(isOwnHost(host, names, '::ffff:192.0.2.7')).toBe(false);
});
