import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PhotoUploaded } from '#contract/listings/photos.ts';
import { deleteOwnAccount, readOwnData } from '#contract/operations/privacy.ts';
import { blockPerson, listMessages, openConversation, sendMessage } from '#contract/sales/messages.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { sampleLaptop } from '#tests/harness/people/person.ts';

const KEY = 'key of the test';
const MONTH_MS = 30 * 24 * 60 * 60_000;

let shop: TestShop;
let photo: Buffer<ArrayBuffer>;
beforeAll(async () => {
  shop = await startTestShop({ photoKey: KEY });
  const create = { width: 640, height: 480, channels: 3, background: { r: 90, g: 60, b: 120 } } as const;
  // With contrast: plain photos have no fingerprints anyway.
  const square = { create: { ...create, width: 320, height: 320, background: '#ffffff' } };
  photo = Buffer.from(
    await sharp({ create })
      .composite([{ input: square }])
      .jpeg()
      .toBuffer(),
  );
});
afterAll(() => shop.close());

async function pair() {
  const [buyer, seller] = [await shop.buyer('Ana'), await shop.seller('Marta')];
  const bookingId = await shop.booking(buyer, await shop.laptop(seller));
  const { insertedId: id } = await buyer.client.call(openConversation, { body: { bookingId } });
  return { buyer, seller, id };
}

function upload(by: Person, conversation: string, bytes: BlobPart = photo): Promise<Response> {
  const form = new FormData();
  form.append('image', new File([bytes], 'screen.jpg', { type: 'image/jpeg' }));
  return fetch(`${shop.origin}/photos?key=${encodeURIComponent(KEY)}&conversation=${conversation}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by.token}` },
    body: form,
  });
}
const uploadedBy = async (by: Person, conversation: string) =>
  PhotoUploaded.parse(await (await upload(by, conversation)).json()).data.url;
const send = ({ client }: Person, _id: string, photos: string[], text = '') =>
  client.call(sendMessage, { params: { _id }, body: { text, photos } });
const shown = async ({ client }: Person, _id: string) =>
  (await client.call(listMessages, { params: { _id }, query: {} })).flatMap(({ photos }) => photos);

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
}

test('both people see a photo at a signed address; without the signature nobody does', async () => {
  const { buyer, seller, id } = await pair();
  const url = await uploadedBy(buyer, id);
  expect(await statusOf(url)).toBe(404);
  await send(buyer, id, [url], 'The corner is broken.');
  for (const person of [buyer, seller]) {
    const [signed = '', ...others] = await shown(person, id);
    expect(others).toEqual([]);
    const response = await fetch(signed);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('private, max-age=3600');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect((await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width).toBe(640);
    expect(await statusOf(signed.replace('640.webp', '320.avif'))).toBe(200);
    expect(await statusOf(signed.replace(/until=\d+/, 'until=99999999999'))).toBe(404);
    expect(await statusOf(`${signed.slice(0, -2)}xx`)).toBe(404);
    expect(await statusOf(signed.split('?')[0] ?? '')).toBe(404);
  }
  // It is not compared with photos of listings.
  expect((await shop.connection.pool.query('select from photo_thumbnails')).rowCount).toBe(0);
});

test('only people who can write there upload to a conversation, and only photos of a bounded size', async () => {
  const { buyer, seller, id } = await pair();
  expect((await upload(await shop.buyer(), id)).status).toBe(404);
  expect((await upload(await shop.admin(), id)).status).toBe(404);
  expect((await upload(buyer, crypto.randomUUID())).status).toBe(404);
  expect((await upload(buyer, id, new Uint8Array(20_000_000))).status).toBe(413);
  expect((await upload(buyer, id, '<svg onload="alert(1)"/>')).status).toBe(415);
  await seller.client.call(blockPerson, { params: { _id: id }, body: { blocked: true } });
  expect((await upload(buyer, id)).status).toBe(409);
});

test('a photo is sent once, by the person who uploaded it, in its conversation', async () => {
  const { buyer, seller, id } = await pair();
  const other = await pair();
  const url = await uploadedBy(buyer, id);
  const refused = { code: 'invalid_input', errors: { photos: expect.stringContaining('choose it again') } };
  await expect(send(seller, id, [url])).rejects.toMatchObject(refused);
  await expect(send(other.buyer, other.id, [url])).rejects.toMatchObject(refused);
  await expect(send(buyer, id, ['https://elsewhere.example/a.jpg'])).rejects.toMatchObject(refused);
  await expect(send(buyer, id, [url, url])).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(send(buyer, id, [])).rejects.toMatchObject({ errors: { text: 'Write a message' } });
  await send(buyer, id, [url]);
  await expect(send(buyer, id, [url])).rejects.toMatchObject(refused);
  // The same bytes are another private photo.
  expect(await uploadedBy(buyer, id)).not.toBe(url);
});

test('an unsent photo is removed after a day, a sent one stays until its sender’s account ends', async () => {
  const { buyer, seller, id } = await pair();
  const [sent, unsent] = [await uploadedBy(buyer, id), await uploadedBy(buyer, id)];
  await send(buyer, id, [sent], 'See this.');
  const [signed = ''] = await shown(seller, id);
  await shop.removeUnusedPhotos(new Date(Date.now() + MONTH_MS));
  expect(await statusOf(signed)).toBe(200);
  await expect(send(buyer, id, [unsent])).rejects.toMatchObject({ code: 'invalid_input' });
  const data = await buyer.client.call(readOwnData, {});
  expect(await statusOf(String(data.messages[0]?.photos))).toBe(200);

  await buyer.client.call(deleteOwnAccount, { query: { email: buyer.email } });
  expect(await shown(seller, id)).toEqual([]);
  await shop.removeUnusedPhotos(new Date(Date.now() + MONTH_MS));
  expect(await statusOf(signed)).toBe(404);
});

test('nobody shows a photo of a message elsewhere, or keeps it in that way', async () => {
  const { buyer, seller, id } = await pair();
  const image = await uploadedBy(buyer, id);
  await send(buyer, id, [image]);
  for (const images of [[image], [sampleLaptop(shop.origin).image, image]]) {
    await expect(shop.laptop(seller, { image: images[0] ?? '', images })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('Please upload the photo to this shop'),
    });
  }
});
