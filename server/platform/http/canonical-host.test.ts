import { describe, expect, test } from 'vitest';
import { canonicalLocation } from './canonical-host.ts';

const local = 'http://localhost:3000';

/** Where a page is redirected that a browser asks for directly. */
const direct = (host: string, url: string, origin = local) =>
  canonicalLocation({ url, headers: { host } }, new URL(origin), 0);

/** Where a page is redirected that a proxy which is believed has passed on. */
const proxied = (forwarded: string | undefined, origin = 'https://shop.example') =>
  canonicalLocation(
    { url: '/blog', headers: { host: '10.0.0.7:3000', ...(forwarded && { 'x-forwarded-host': forwarded }) } },
    new URL(origin),
    1,
  );

test('another host with the same port is redirected to the same path and query of the public origin', () => {
  expect(direct('127.0.0.1:3000', '/login')).toBe(`${local}/login?canonical-host=1`);
  expect(direct('[::1]:3000', '/category/HP?book=1&x=%20')).toBe(
    `${local}/category/HP?book=1&x=%20&canonical-host=1`,
  );
  expect(direct('10.0.0.7:3000', '/', 'http://shop.lan:3000')).toBe('http://shop.lan:3000/?canonical-host=1');
  expect(direct('shop.lan', '/', 'http://www.shop.lan')).toBe('http://www.shop.lan/?canonical-host=1');
});

test('on the public origin the marker is removed and the page is served', () => {
  expect(direct('localhost:3000', '/login?canonical-host=1')).toBe(`${local}/login`);
  expect(direct('localhost:3000', '/category/HP?book=1&x=%20&canonical-host=1')).toBe(
    `${local}/category/HP?book=1&x=%20`,
  );
  expect(direct('localhost:3000', '/login')).toBeNull();
  expect(direct('LocalHost:3000', '/login')).toBeNull();
});

test('a path that looks like a host remains a path', () => {
  expect(direct('127.0.0.1:3000', '//evil.example/')).toBe(`${local}/evil.example/?canonical-host=1`);
  expect(direct('localhost:3000', '//evil.example/?canonical-host=1')).toBe(`${local}/evil.example/`);
  expect(direct('evil.example:3000/', '/')).toBeNull();
  expect(direct('user@evil.example:3000', '/')).toBeNull();
});

describe('the page is served without a redirect', () => {
  test('when the port differs, as behind a port mapping', () => {
    expect(direct('127.0.0.1:3000', '/', 'http://shop.lan')).toBeNull();
  });

  test('when the public origin is a loopback name and the requested host is not', () => {
    expect(direct('192.168.1.5:3000', '/')).toBeNull();
  });

  test('behind untrusted proxies, detected by the public origin or by proxy headers', () => {
    expect(direct('127.0.0.1:3000', '/', 'https://shop.example')).toBeNull();
    for (const header of ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via', 'x-real-ip']) {
      const headers = { host: '127.0.0.1:3000', [header]: 'shop.example' };
      expect(canonicalLocation({ url: '/', headers }, new URL(local), 0), header).toBeNull();
    }
  });

  test('for requests of scripts and without a Host header', () => {
    expect(direct('127.0.0.1:3000', '/login.data')).toBeNull();
    expect(direct('127.0.0.1:3000', '/__manifest?paths=%2F')).toBeNull();
    expect(canonicalLocation({ url: '/', headers: {} }, new URL(local), 0)).toBeNull();
  });
});

test('a trusted proxy determines the requested host', () => {
  expect(proxied('www.shop.example')).toBe('https://shop.example/blog?canonical-host=1');
  expect(proxied('shop.example')).toBeNull();
  expect(proxied('shop.example:443')).toBeNull();
  expect(proxied('forged.example, shop.example')).toBeNull();
  expect(proxied(undefined)).toBeNull();
});

test('redirects never loop, even when a proxy replaces the Host header', () => {
  const headersSeen: Record<string, string>[] = [
    { host: 'localhost:3000' },
    { host: '127.0.0.1:3000' },
    { host: 'shop.lan:3000' },
    { host: 'other.lan:3000' },
    { host: 'other.lan:3000', 'x-forwarded-host': 'www.shop.lan:3000' },
  ];
  for (const origin of [local, 'http://shop.lan:3000', 'https://shop.lan:3000']) {
    for (const proxies of [0, 1]) {
      for (const first of headersSeen) {
        // What the proxy in front of the public origin makes of each request.
        for (const then of headersSeen) {
          let headers = first;
          let url = '/login?next=1';
          let redirects = 0;
          for (;;) {
            const location = canonicalLocation({ url, headers }, new URL(origin), proxies);
            if (location === null) break;
            redirects += 1;
            expect(redirects, `${origin} ${proxies} ${JSON.stringify([first, then])}`).toBeLessThan(3);
            const { pathname, search } = new URL(location);
            url = `${pathname}${search}`;
            headers = then;
          }
        }
      }
    }
  }
});
