import { beforeAll, expect, test } from 'vitest';
import * as contract from '#contract/listings/catalogue.ts';
import { listReportedItems, reportLaptop } from '#contract/listings/reports.ts';
import { readOwnData } from '#contract/operations/privacy.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';

let shop: SharedShop;
let seller: Person;
beforeAll(async () => {
  shop = await sharedShop();
  seller = await shop.seller();
});

const [front, slip] = ['1', '2'].map(
  (digit) => `/photos/${digit.repeat(64)}-1280x960-${'0'.repeat(36)}/1280.webp`,
);
const photos = () => [`${shop.origin}${front}`, `${shop.origin}${slip}`] as const;

const list = (fields: object) => {
  const [image, other] = photos();
  return shop.laptop(seller, { image, images: [image, other], ...fields });
};
const readOwn = (id: string) => seller.client.call(contract.readOwnLaptop, { params: { _id: id } });

test('a kind is shown as the caption of a photo without one; its seller gets both apart', async () => {
  const [image, other] = photos();
  const kinds = { [image]: 'keyboard', [other]: 'slip' } as const;
  const captions = { [image]: 'One key is worn' };
  const id = await list({ kinds, captions });
  const details = await shop.visitor.call(contract.readLaptop, { params: { _id: id } });
  expect(details.captions).toEqual({ [image]: 'One key is worn', [other]: 'Slip with the code' });
  expect(await readOwn(id)).toMatchObject({ kinds, captions });
  const data = await seller.client.call(readOwnData, {});
  const own = data.laptops.find((laptop) => laptop.id === id);
  expect(own).toMatchObject({
    ...{ photo_kinds: kinds, photo_captions: captions },
    slip_code: (await readOwn(id)).slipCode,
  });
});

test('unknown kinds and those of other photos are refused', async () => {
  const [image] = photos();
  const refused = [{ [image]: 'garden' }, { 'https://elsewhere.example/a.webp': 'lid' }, 'lid', [['lid']]];
  for (const kinds of refused) await expect(list({ kinds })).rejects.toMatchObject({ status: 422 });
  const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`${image}${index}`, 'lid']));
  await expect(list({ kinds: many })).rejects.toMatchObject({ status: 422 });
});

test('each laptop has its own code without look-alikes, which only its seller and admins see', async () => {
  const [, other] = photos();
  const ids = await Promise.all([list({ kinds: { [other]: 'slip' } }), list({}), list({})]);
  const codes = await Promise.all(ids.map(async (id) => (await readOwn(id)).slipCode));
  expect(new Set(codes).size).toBe(3);
  for (const code of codes) expect(code).toMatch(/^[34679ACDEFGHJKMNPQRTUVWXY]{5}$/);

  const [id] = ids;
  const details = await shop.visitor.call(contract.readLaptop, { params: { _id: id } });
  expect(JSON.stringify(details)).not.toContain(codes[0]);

  const buyer = await shop.buyer();
  await buyer.client.call(reportLaptop, { body: { productCode: id, reason: 'Other' } });
  const admin = await shop.admin();
  const items = await admin.client.call(listReportedItems, { query: { laptop: id } });
  expect(items[0]?.slip).toEqual({ code: codes[0], photos: [other] });
});
