import { expect, test } from 'vitest';
import { hasSecondHost, hostOf, isOwnHost } from './hosts.ts';

test('a second Host header is seen in whatever case it is written', () => {
  expect(hasSecondHost(['Host', 'a.example', 'Accept', '*/*', 'hOsT', 'b.example'])).toBe(true);
  expect(hasSecondHost(['Host', 'a.example', 'Hint', 'host', 'X', 'Host'])).toBe(false);
  expect(hasSecondHost([])).toBe(false);
});

const names = [hostOf('https://shop.example:8443'), hostOf('http://[2001:db8::5]')];

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
])('%s is this server', (host) => {
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
])('%s is another', (host) => {
  expect(isOwnHost(host, names, '::ffff:192.0.2.7')).toBe(false);
});
