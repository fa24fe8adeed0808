import { afterAll, beforeAll, expect, test } from 'vitest';
import * as contract from '#contract/listings/catalogue.ts';
import { MAXIMUM_CAPTION } from '#contract/listings/photo-captions.ts';
import { readOwnData } from '#contract/operations/privacy.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';

let shop: TestShop;
let seller: Person;
beforeAll(async () => {
  shop = await startTestShop();
  seller = await shop.seller('Sofia Marques');
});
afterAll(() => shop.close());

const [front, dent] = ['1', '2'].map(
  (digit) => `/photos/${digit.repeat(64)}-1280x960-${'0'.repeat(36)}/1280.webp`,
);
const photos = () => [`${shop.origin}${front}`, `${shop.origin}${dent}`] as const;

const list = (fields: object) => {
  const [image, other] = photos();
  return shop.laptop(seller, { image, images: [image, other], ...fields });
};

test('a caption is shown with its photo, in lists, on the laptop’s page and in the seller’s own data', async () => {
  const [, other] = photos();
  const captions = { [other]: 'A dent in the rear corner' };
  const id = await list({ category_Id: 'Dell', captions });
  const details = await shop.visitor.call(contract.readLaptop, { params: { _id: id } });
  expect(details.captions).toEqual(captions);
  const listed = await shop.visitor.call(contract.listCategory, { params: { id: 'Dell' }, query: {} });
  expect(listed.find(({ _id }) => _id === id)?.captions).toEqual(captions);
  const data = await seller.client.call(readOwnData, {});
  expect(data.laptops.find((laptop) => laptop.id === id)?.photo_captions).toEqual(captions);
});

test('captions of other photos, too many of them and long ones are refused', async () => {
  const [image] = photos();
  const refused = [
    { 'https://elsewhere.example/a.webp': 'A dent' },
    Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`${image}${index}`, 'A dent'])),
    { [image]: 'x'.repeat(MAXIMUM_CAPTION + 1) },
    { [image]: 'two\nlines' },
    [['A dent']],
    'A dent',
  ];
  for (const captions of refused) {
    await expect(list({ captions }), JSON.stringify(captions).slice(0, 60)).rejects.toMatchObject({
      status: 422,
    });
  }
});

test('a change that names no captions keeps those of the remaining photos', async () => {
  const [image, other] = photos();
  const id = await list({ captions: { [image]: 'The front', [other]: 'A dent' } });
  const change = async (fields: object) => {
    const { version } = await seller.client.call(contract.readOwnLaptop, { params: { _id: id } });
    const form = {
      category_Id: 'HP',
      name: 'EliteBook 840 G8',
      location: 'Porto',
      image,
      description: 'It works',
      original_price: 900,
      resale_price: 400,
      use_time: '2 years',
      mobile_number: '+351 912 345 678',
      condition: 'Good' as const,
      version,
    };
    await seller.client.call(contract.changeLaptop, { params: { _id: id }, body: { ...form, ...fields } });
    return (await seller.client.call(contract.readOwnLaptop, { params: { _id: id } })).captions;
  };
  expect(await change({ images: [image, other] })).toEqual({ [image]: 'The front', [other]: 'A dent' });
  expect(await change({ images: [image] })).toEqual({ [image]: 'The front' });
  expect(await change({ images: [image], captions: {} })).toBeUndefined();
});
