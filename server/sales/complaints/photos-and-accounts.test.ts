// Photos of complaints, and the accounts of the people who complain and answer.
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PhotoUploaded } from '#contract/listings/photos.ts';
import { deleteOwnAccount, readOwnData } from '#contract/operations/privacy.ts';
import * as contract from '#contract/sales/complaints.ts';
import { confirmOrder } from '#contract/sales/orders.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { completeOrder, payOutSale, type Sale, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

const KEY = 'key of the test';
const MONTH = 30 * 24 * 60 * 60_000;

let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  shop = await startTestShop({ photoKey: KEY });
  admin = await shop.admin();
});
afterAll(() => shop.close());

let shade = 0;

/** Uploads a new photo. */
async function upload(by: Person): Promise<Response> {
  // Neighbouring shades are the same JPEG file.
  shade += 20;
  const background = { r: shade, g: 60, b: 120 };
  const photo = await sharp({ create: { width: 64, height: 48, channels: 3, background } })
    .jpeg()
    .toBuffer();
  const form = new FormData();
  form.append('image', new File([new Uint8Array(photo)], 'screen.jpg', { type: 'image/jpeg' }));
  return fetch(`${shop.origin}/photos?key=${encodeURIComponent(KEY)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by.token}` },
    body: form,
  });
}
const uploadedBy = async (by: Person) => PhotoUploaded.parse(await (await upload(by)).json()).data.url;

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
}

const complain = ({ buyer, orderId }: Sale, photos: string[] = [], text = 'The screen is broken.') =>
  buyer.client.call(contract.complain, {
    params: { _id: orderId },
    body: { kind: 'not_as_described', text, photos },
  });
const answer = (
  { seller, orderId }: Sale,
  move: (typeof contract.sellerAnswers)[number],
  photos: string[] = [],
) =>
  seller.client.call(contract.answerAsSeller, {
    params: { _id: orderId },
    body: { move, text: 'It was whole at Her Own Street 7.', photos },
  });
const withdraw = ({ buyer, orderId }: Sale) =>
  buyer.client.call(contract.answerAsBuyer, { params: { _id: orderId }, body: { move: 'withdraw' } });
const complaints = ({ buyer, orderId }: Sale) =>
  buyer.client.call(contract.listComplaintsOfOrder, { params: { _id: orderId } });
const leave = ({ client, email }: Person) => client.call(deleteOwnAccount, { query: { email } });

test('buyers upload photos once they have bought something, and the photos of a complaint are kept', async () => {
  const stranger = await shop.buyer();
  expect((await upload(stranger)).status).toBe(403);
  const sale = await sellLaptop(shop);
  const [his, hers] = [await uploadedBy(sale.buyer), await uploadedBy(sale.seller)];
  await complain(sale, [his]);
  await answer(sale, 'contest', [hers]);
  const [complaint] = await complaints(sale);
  expect(complaint?.statements.map(({ photos }) => photos)).toEqual([[his], [hers]]);
  const unused = await uploadedBy(sale.buyer);
  await shop.removeUnusedPhotos(new Date(Date.now() + MONTH));
  expect(await Promise.all([his, hers, unused].map(statusOf))).toEqual([200, 200, 404]);
  await expect(
    sale.buyer.client.call(contract.sayAboutComplaint, {
      params: { _id: sale.orderId },
      body: { text: 'See this.', photos: [unused] },
    }),
  ).rejects.toMatchObject({ errors: { photos: expect.stringContaining('choose it again') } });
  await withdraw(sale);
});

test('photos from elsewhere and the same photo twice are refused, and nothing is changed', async () => {
  const sale = await sellLaptop(shop);
  const real = await uploadedBy(sale.buyer);
  for (const photos of [['https://elsewhere.example/a.jpg'], [real, real]]) {
    await expect(complain(sale, photos)).rejects.toMatchObject({ errors: { photos: expect.any(String) } });
  }
  expect(await complaints(sale)).toEqual([]);
});

test('one’s own data have one’s statements with their photos, and not those of the other side', async () => {
  const sale = await sellLaptop(shop);
  const photo = await uploadedBy(sale.buyer);
  await complain(sale, [photo]);
  await answer(sale, 'accept');
  const his = await sale.buyer.client.call(readOwnData, {});
  expect(his.complaintStatements).toMatchObject([
    {
      ...{ order_id: sale.orderId, kind: 'not_as_described', party: 'buyer', move: 'complain' },
      ...{ text: 'The screen is broken.', photos: [photo] },
    },
  ]);
  const hers = await sale.seller.client.call(readOwnData, {});
  expect(hers.complaintStatements).toMatchObject([{ party: 'seller', move: 'accept' }]);
  expect(JSON.stringify(his)).not.toContain('Her Own Street');
});

test('while a complaint is open, neither account can end; afterwards words and photos go with it, decisions stay', async () => {
  const sale = await sellLaptop(shop);
  // Paid out already: without the complaint, the shop would owe and hold nothing.
  await payOutSale(sale, admin);
  const photo = await uploadedBy(sale.seller);
  await complain(sale, [], 'I live in Low Lane 5.');
  await answer(sale, 'contest', [photo]);
  for (const person of [sale.buyer, sale.seller]) {
    await expect(leave(person)).rejects.toMatchObject({
      code: 'money_on_its_way',
      message: expect.stringContaining('A complaint about EliteBook 840 G8 is open'),
    });
  }
  await withdraw(sale);
  await completeOrder(shop, sale.orderId);
  await leave(sale.seller);
  const [complaint] = await complaints(sale);
  expect(complaint?.statements).toMatchObject([
    { by: 'buyer', move: 'complain', text: 'I live in Low Lane 5.' },
    { by: 'seller', move: 'contest', text: '', photos: [] },
    { by: 'buyer', move: 'withdraw' },
  ]);
  await waitForEmptyQueue(shop.connection.pool);
  await shop.removeUnusedPhotos(new Date(Date.now() + MONTH));
  expect(await statusOf(photo)).toBe(404);
  await leave(sale.buyer);
  const { rows } = await shop.connection.pool.query(
    'select text, photos from complaint_statements where author_id = any($1)',
    [[sale.buyer.userId, sale.seller.userId]],
  );
  expect(rows).toEqual(Array.from({ length: 3 }, () => ({ text: '', photos: [] })));
});

test('an account does not end while a complaint is possible, also when both come at once', async () => {
  const sale = await sellLaptop(shop);
  await payOutSale(sale, admin);
  const [complained, left] = await Promise.allSettled([complain(sale), leave(sale.seller)]);
  expect([complained.status, left.status]).toEqual(['fulfilled', 'rejected']);
  expect(await complaints(sale)).toMatchObject([{ isOpen: true }]);
});

test('why a sale was given up goes with the seller’s account', async () => {
  const sale = await sellLaptop(shop);
  await sale.seller.client.call(contract.cancelSale, {
    params: { _id: sale.orderId },
    body: { text: 'I moved to Hidden Hill.' },
  });
  await waitForEmptyQueue(shop.connection.pool);
  await expect(sale.buyer.client.call(confirmOrder, { params: { _id: sale.orderId } })).rejects.toMatchObject(
    { code: 'order_moved' },
  );
  await leave(sale.seller);
  const { rows } = await shop.connection.pool.query('select cancel_reason from orders where id = $1', [
    sale.orderId,
  ]);
  expect(rows).toEqual([{ cancel_reason: '' }]);
});
