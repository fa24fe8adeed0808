// What buyer and seller compare with the laptop at the meeting: who may read it, and what it is based on.
import { beforeAll, expect, test } from 'vitest';
import { createSameLaptopCode } from '#contract/certification/same-laptop.ts';
import { cancelSale } from '#contract/sales/complaints.ts';
import { readOrder, readSoldLaptop } from '#contract/sales/orders.ts';
import { sampleSmbios, thinkpad } from '#server/certification/inspections/testing/linux-tree.ts';
import { createReport, measureAs, sendReport } from '#server/certification/inspections/testing/measure.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { type Sale, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

let shop: SharedShop;
let seller: Person;
beforeAll(async () => {
  shop = await sharedShop();
  seller = await shop.seller();
});

const photos = () =>
  (['1', '2', '3', '4'] as const).map(
    (digit) => `${shop.origin}/photos/${digit.repeat(64)}-1280x960-${'0'.repeat(36)}/1280.webp`,
  );

const read = ({ client }: Pick<Person, 'client'>, { orderId }: Sale) =>
  client.call(readSoldLaptop, { params: { _id: orderId } });

test('buyer, seller and admins read what was measured and named before the sale; nobody else does', async () => {
  const [front = '', lid = '', scratch = '', dent = ''] = photos();
  const laptopId = await shop.laptop(seller, {
    image: front,
    images: [front, lid, scratch, dent],
    kinds: { [lid]: 'lid', [dent]: 'marks' },
    captions: { [scratch]: 'A scratch of 3 mm' },
    description: { Memory: '16 GB', Notes: 'It served me well' },
  });
  await measureAs(shop, seller, laptopId, thinkpad);
  const sale = await sellLaptop(shop, { seller, laptopId });
  const asBuyer = await read(sale.buyer, sale);
  expect(asBuyer).toMatchObject({
    condition: 'Excellent',
    description: { Memory: '16 GB', Notes: 'It served me well' },
    images: [front, lid, scratch, dent],
    named: [
      { photo: scratch, caption: 'A scratch of 3 mm' },
      { photo: dent, caption: null },
    ],
    measurement: {
      measuredWith: 'linux',
      contradictions: [],
      machine: { serial: { value: 'PF3…DE' }, battery: { value: { health: 89, cycles: 211 } } },
    },
  });
  expect(JSON.stringify(asBuyer)).not.toContain('PF3ABCDE');
  expect(await read(seller, sale)).toEqual(asBuyer);
  expect(await read(await shop.admin(), sale)).toEqual(asBuyer);
  for (const stranger of [await shop.buyer(), await shop.seller()])
    await expect(read(stranger, sale)).rejects.toMatchObject({ code: 'not_found' });
  await expect(read({ client: shop.visitor }, sale)).rejects.toMatchObject({ status: 401 });
});

test('of several measurements the latest before the sale counts, also when it contradicts the listing', async () => {
  const laptopId = await shop.laptop(seller, { description: { Memory: '16 GB' } });
  await measureAs(shop, seller, laptopId, thinkpad);
  await measureAs(shop, seller, laptopId, {
    ...thinkpad,
    '/sys/firmware/dmi/tables/DMI': sampleSmbios([8192]),
    '/proc/meminfo': 'MemTotal:       7984128 kB\n',
    '/sys/class/power_supply/BAT0/cycle_count': '400\n',
  });
  const sale = await sellLaptop(shop, { seller, laptopId });
  // A measurement at the hand-over is compared with it, and does not replace it.
  const { code } = await seller.client.call(createSameLaptopCode, { params: { _id: sale.orderId } });
  await sendReport(shop.origin, createReport(thinkpad, code));
  expect(await read(sale.buyer, sale)).toMatchObject({
    measurement: {
      contradictions: [{ field: 'Memory', listed: '16 GB', measured: '8 GB' }],
      machine: { battery: { value: { cycles: 400 } } },
    },
  });
});

test('a laptop without a measurement has none', async () => {
  const sale = await sellLaptop(shop);
  expect(await read(sale.buyer, sale)).toMatchObject({ measurement: null, named: [] });
});

test('after the sale was undone there is nothing to check: the laptop may be listed differently', async () => {
  const sale = await sellLaptop(shop);
  await sale.seller.client.call(cancelSale, {
    params: { _id: sale.orderId },
    body: { text: 'It fell down.' },
  });
  await expect(read(sale.buyer, sale)).rejects.toMatchObject({ code: 'order_moved' });
});

test('the buyer sees the end of the seller’s code until it is used', async () => {
  const laptopId = await shop.laptop(seller);
  await measureAs(shop, seller, laptopId, thinkpad);
  const sale = await sellLaptop(shop, { seller, laptopId });
  const laptopCode = async () =>
    (await sale.buyer.client.call(readOrder, { params: { _id: sale.orderId } })).laptopCode;
  expect(await laptopCode()).toBeNull();
  const newCode = () => seller.client.call(createSameLaptopCode, { params: { _id: sale.orderId } });
  await newCode();
  const { code, expiresAt } = await newCode();
  expect(await laptopCode()).toEqual({ ending: code.slice(-4), expiresAt });
  await sendReport(shop.origin, createReport(thinkpad, code));
  expect(await laptopCode()).toBeNull();
});
