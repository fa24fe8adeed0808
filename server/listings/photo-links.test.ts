import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createPhotoLinks, createPrivateHash, isPrivateHash, isPrivatePhoto } from './photo-links.ts';

const origin = 'https://shop.example';
const links = createPhotoLinks(origin, new Uint8Array(32).fill(1));
const now = new Date('2026-11-24T10:20:00Z');
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);
const stored = (hash: string) => `/photos/${hash}-640x480-${'0'.repeat(36)}/640.webp`;

function read(url: string) {
  const { pathname, searchParams } = new URL(url);
  return {
    path: pathname,
    query: { until: Number(searchParams.get('until')), signature: searchParams.get('signature') ?? '' },
  };
}

test('a private hash is recognized, the hash of an upload is not', () => {
  const hash = createPrivateHash();
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(createPrivateHash()).not.toBe(hash);
  expect(isPrivateHash(hash)).toBe(true);
  expect(isPrivatePhoto(`${origin}${stored(hash)}`)).toBe(true);
  for (let count = 0; count < 100; count += 1) {
    expect(isPrivateHash(createHash('sha256').update(randomBytes(8)).digest('hex'))).toBe(false);
  }
  expect(isPrivatePhoto('/brands/hp.svg')).toBe(false);
});

test('the address of a private photo is signed and ends, that of others is plain', () => {
  const open = stored('a'.repeat(64));
  expect(links.urlOf(open, now)).toBe(`${origin}${open}`);
  expect(links.urlOf('https://images.example/a.jpg', now)).toBe('https://images.example/a.jpg');
  const url = links.urlOf(stored(createPrivateHash()), now);
  const { path, query } = read(url);
  expect(links.isValid(path, query, now)).toBe(true);
  expect(links.isValid(path, query, minutes(60))).toBe(true);
  expect(links.isValid(path, query, minutes(121))).toBe(false);
  // Browsers cache it.
  expect(links.urlOf(stored(path.slice(8, 72)), minutes(10))).toBe(url);
});

test('a signature is for one photo, one time and one key', () => {
  const [one, other] = [createPrivateHash(), createPrivateHash()];
  const { query } = read(links.urlOf(stored(one), now));
  expect(links.isValid(stored(one), query, now)).toBe(true);
  expect(links.isValid(stored(one).replace('640.webp', '320.avif'), query, now)).toBe(true);
  expect(links.isValid(stored(other), query, now)).toBe(false);
  expect(links.isValid(stored(one), { ...query, until: query.until + 3600 }, now)).toBe(false);
  expect(links.isValid(stored(one), { ...query, signature: '' }, now)).toBe(false);
  expect(links.isValid(stored(one), { ...query, until: Number.NaN }, now)).toBe(false);
  const foreign = createPhotoLinks(origin, new Uint8Array(32).fill(2));
  expect(foreign.isValid(stored(one), query, now)).toBe(false);
});
