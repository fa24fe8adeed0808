import { request as httpRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { photoSources } from '#contract/listings/photos.ts';
import { halves, ORIGIN, problemOf, type RunningHost, startHost } from './testing/photo-samples.ts';

let host: RunningHost;
let path: string;
beforeAll(async () => {
  host = await startHost();
  path = await host.uploadAccepted(await halves(700, 500).jpeg().toBuffer());
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
});

/** Requests a path exactly as written; `fetch` would normalize it. */
async function requestRaw(target: string): Promise<{ status: number | undefined; body: string }> {
  const { hostname, port } = new URL(host.base);
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; body: string }>();
  httpRequest({ hostname, port, path: target }, (message) => {
    text(message).then((body) => resolve({ status: message.statusCode, body }), reject);
  })
    .once('error', reject)
    .end();
  return promise;
}

test('a variant has immutable caching, cross-origin and content-type headers', async () => {
  for (const format of ['avif', 'webp']) {
    const response = await fetch(host.base + path.replace('webp', format));
    expect(response.status).toBe(200);
    const bytes = await response.arrayBuffer();
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': `image/${format}`,
      'content-length': String(bytes.byteLength),
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
  }
});

test('serves variants without a key or a token', async () => {
  expect((await fetch(host.base + path, { headers: {} })).status).toBe(200);
});

test('each variant has its own ETag, and a matching If-None-Match gets 304 without a body', async () => {
  const tags = new Set<string>();
  for (const file of ['320.avif', '320.webp', '640.avif', '640.webp']) {
    const url = host.base + path.replace('640.webp', file);
    const etag = (await fetch(url)).headers.get('etag') ?? '';
    tags.add(etag);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await fetch(url, { headers: { 'if-none-match': known } });
      expect(again.status).toBe(304);
      expect(again.headers.get('etag')).toBe(etag);
      expect(again.headers.get('cache-control')).toContain('immutable');
      expect((await again.arrayBuffer()).byteLength).toBe(0);
    }
    expect((await fetch(url, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  }
  expect(tags.size).toBe(4);
});

test('HEAD returns the headers of GET', async () => {
  const [head, get] = [await fetch(host.base + path, { method: 'HEAD' }), await fetch(host.base + path)];
  expect(head.status).toBe(200);
  for (const name of ['content-type', 'content-length', 'cache-control', 'etag']) {
    expect(head.headers.get(name)).toBe(get.headers.get(name));
  }
  expect((await head.arrayBuffer()).byteLength).toBe(0);
  const missing = await fetch(host.base + path.replace('640.webp', '960.webp'), { method: 'HEAD' });
  expect(missing.status).toBe(404);
});

test('all sources of photoSources exist', async () => {
  const sources = photoSources(ORIGIN + path);
  const urls = `${sources.avif}, ${sources.webp}, ${sources.src} 0w`
    .split(', ')
    .map((entry) => entry.split(' ')[0] ?? '');
  expect(urls).toHaveLength(5);
  for (const url of urls) {
    const response = await fetch(url.replace(ORIGIN, host.base));
    expect(response.status, url).toBe(200);
    await response.arrayBuffer();
  }
});

describe('a path without a variant', () => {
  test('gets a problem document that is not cached', async () => {
    const response = await fetch(host.base + path.replace(/[0-9a-f]{64}/, '0'.repeat(64)));
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await problemOf(response)).toMatchObject({
      code: 'not_found',
      detail: 'There is no photo at this address.',
    });
  });

  test('gets 404, also for path traversal and internal files', async () => {
    const folder = path.replace('/640.webp', '');
    const hash = folder.split('/')[2]?.slice(0, 64) ?? '';
    const targets = [
      '/photos/',
      '/photos/../../../../../../etc/passwd',
      '/photos/..%2f..%2f..%2f..%2f..%2fetc%2fpasswd',
      '/photos/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
      '/photos/..%5c..%5cetc%5cpasswd',
      '/photos//etc/passwd',
      '/photos/%00',
      `/photos/${hash}.json`,
      '/photos/.incoming',
      `/photos/.incoming/..${folder.replace('/photos', '')}/640.webp`,
      folder,
      `${folder}/`,
      `${folder}/.`,
      `${folder}/640.webp%00`,
      `${folder}/640.webp%00.png`,
      `${folder}/640.webp/`,
      `${folder}/./640.webp`,
      `${folder}/../${folder.replace('/photos/', '')}/640.webp`,
      `${folder}/0640.webp`,
      `${folder}/641.webp`,
      `${folder}/960.webp`,
      `${folder}/640.jpg`,
      `${folder}/640.WEBP`,
      `${folder}/-1.webp`,
      `${folder}/1e3.webp`,
      `${folder}/640.webp%0a`,
      `${folder.toUpperCase().replace('/PHOTOS', '/photos')}/640.webp`,
      `${folder.replace('640x457', '640x458')}/640.webp`,
    ];
    for (const target of targets) {
      const { status, body } = await requestRaw(target);
      expect(status, target).toBe(404);
      expect(body, target).toContain('There is no photo at this address.');
    }
    expect((await requestRaw(`${folder}/640.webp`)).status).toBe(200);
  });
});
