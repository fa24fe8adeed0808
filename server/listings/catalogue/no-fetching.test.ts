import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';

let shop: SharedShop;
const visits: (string | undefined)[] = [];
const trap = createServer((request, response) => {
  visits.push(request.url);
  response.end('caught');
});
let trapUrl: string;

beforeAll(async () => {
  shop = await sharedShop();
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
  const address = trap.address();
  trapUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
});
afterAll(async () => {
  trap.close();
});

test('a photo URL is never fetched, and is rejected unless it belongs to the image host', async () => {
  const seller = await shop.seller();
  const own = `${shop.origin}/photos/${'a'.repeat(64)}-1280x960-${'0'.repeat(36)}/1280.webp`;
  const { host } = new URL(shop.origin);
  const addresses = [
    `${trapUrl}/photo.webp`,
    `${trapUrl}/photos/${'a'.repeat(64)}-1280x960-${'0'.repeat(36)}/1280.webp`,
    'http://169.254.169.254/latest/meta-data/',
    'file:///etc/passwd',
    'data:image/svg+xml,<svg onload=alert(1)>',
    'javascript:alert(1)',
    '//evil.example/photos/x.webp',
    `http://${host}@evil.example${new URL(own).pathname}`,
    `${shop.origin}.evil.example${new URL(own).pathname}`,
    `${own}?x=${trapUrl}`,
    `${own}#${trapUrl}`,
    `${shop.origin}/photos/../api/brands`,
    own.replace('/photos/', '/photos/%2e%2e/'),
    own.replace('127.0.0.1', '0x7f000001'),
  ];
  for (const image of addresses) {
    const listed = shop.laptop(seller, { image });
    await expect(listed, image).rejects.toMatchObject({ status: 422, errors: { image: expect.any(String) } });
  }
  expect(await shop.laptop(seller, { image: own })).toEqual(expect.any(String));
  expect(visits).toEqual([]);
});
