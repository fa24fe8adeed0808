// The sheet that a carrier scans for several parcels: which labels can be on one, and that it is made once.
import { PDFDocument } from '@cantoo/pdf-lib';
import { expect, test } from 'vitest';
import {
  buyLabel,
  MAXIMUM_PRINTED,
  printManifest,
  quoteLabel,
  readPrintableLabels,
  voidLabel,
} from '#contract/sales/labels.ts';
import type { Person } from '#tests/harness/operations/shop.ts';
import { sampleSender } from '#tests/harness/sales/carriers.ts';
import { refusalOf, setUpLabelShop } from '#tests/harness/sales/label-shop.ts';

const labelShop = setUpLabelShop();

/** Sells a laptop and buys its label. */
async function buy(seller: Person, { carrier = 'USPS', from = {} } = {}) {
  const { orderId } = await labelShop.sell({ seller });
  const { _id, rates } = await seller.client.call(quoteLabel, {
    params: { _id: orderId },
    body: { sender: { ...sampleSender, ...from } },
  });
  const rate = rates.find((each) => each.carrier === carrier);
  if (rate === undefined) throw new Error(`There is no rate of ${carrier}.`);
  await seller.client.call(buyLabel, { params: { _id }, body: { rate: rate._id, price: rate.price } });
  await labelShop.waitForJobs();
  return { _id, orderId };
}

const offered = async ({ client }: Person) => (await client.call(readPrintableLabels, {})).manifests;
const print = ({ client }: Person, ...labels: { _id: string }[]) =>
  client.call(printManifest, { body: { labels: labels.map(({ _id }) => _id) } });
const formIdOf = async ({ orderId }: { orderId: string }) =>
  (await labelShop.fake.shipmentOf(orderId)).scan_form?.id ?? null;

const refusedLabels = { code: 'label_refused' };

test('labels of one carrier have one sheet, which is made once and printed again until they are scanned', async () => {
  const seller = await labelShop.shop.seller();
  const first = await buy(seller);
  const ofUps = await buy(seller, { carrier: 'UPS' });
  expect(await offered(seller)).toEqual([]);
  expect(await refusalOf(print(seller, first))).toMatchObject(refusedLabels);
  const parcels = [first, await buy(seller), await buy(seller)] as const;
  const labels = parcels.map(({ _id }) => _id);
  expect(await offered(seller)).toEqual([{ carrier: 'USPS', labels, isMade: false }]);
  expect(await refusalOf(print(seller, first, ofUps))).toMatchObject(refusedLabels);

  const [one, two] = await Promise.all([print(seller, ...parcels), print(seller, ...parcels)]);
  for (const { pdf } of [one, two, await print(seller, ...parcels)]) {
    expect((await PDFDocument.load(pdf)).getPageCount()).toBe(1);
  }
  const formId = await formIdOf(first);
  expect(formId).toMatch(/^sf_/);
  expect(await Promise.all(parcels.map(formIdOf))).toEqual([formId, formId, formId]);
  expect(await offered(seller)).toEqual([{ carrier: 'USPS', labels, isMade: true }]);

  // A label that is bought later comes to another sheet.
  const later = await buy(seller);
  expect(await offered(seller)).toHaveLength(1);
  expect(await refusalOf(print(seller, ...parcels, later))).toMatchObject(refusedLabels);
  const latest = await buy(seller);
  await print(seller, later, latest);
  expect(await formIdOf(later)).not.toBe(formId);

  await labelShop.fake.report((await labelShop.fake.shipmentOf(first.orderId)).id, 'in_transit');
  await seller.client.call(voidLabel, { params: parcels[1] });
  await labelShop.waitForJobs();
  expect(await offered(seller)).toEqual([
    { carrier: 'USPS', labels: [parcels[2]._id], isMade: true },
    { carrier: 'USPS', labels: [later._id, latest._id], isMade: true },
  ]);
  await print(seller, parcels[2]);
  expect(await refusalOf(print(seller, ...parcels))).toMatchObject(refusedLabels);
});

test('a sheet whose answer was lost, or that is still being made, is the one that is printed then', async () => {
  for (const fault of ['lost_answer', 'slow'] as const) {
    const seller = await labelShop.shop.seller();
    const parcels = [await buy(seller), await buy(seller)];
    await labelShop.fake.fail(fault);
    expect(await refusalOf(print(seller, ...parcels))).toMatchObject({ code: 'carrier_unavailable' });
    const formIds = await Promise.all(parcels.map(formIdOf));
    expect(formIds[0]).toMatch(/^sf_/);
    await print(seller, ...parcels);
    expect(await Promise.all(parcels.map(formIdOf))).toEqual(formIds);
  }
});

test('a sheet that the carrier refuses binds no label', async () => {
  const seller = await labelShop.shop.seller();
  const parcels = [await buy(seller), await buy(seller)];
  await labelShop.fake.fail('declined');
  expect(await refusalOf(print(seller, ...parcels))).toMatchObject({
    code: 'label_refused',
    detail:
      'The carrier makes no sheet of these parcels: The carrier makes none. The labels stay valid; the carrier can scan each by itself.',
  });
  expect(await offered(seller)).toMatchObject([{ isMade: false }]);
  // The carrier has put one of them on a sheet of which the shop knows nothing.
  const { database } = labelShop.shop.connection;
  await print(seller, ...parcels);
  await database
    .updateTable('labels')
    .set({ manifest: null })
    .where('id', '=', parcels[0]?._id ?? '')
    .execute();
  const third = await buy(seller);
  expect(await refusalOf(print(seller, ...parcels.slice(0, 1), third))).toMatchObject({
    detail: expect.stringContaining('A part of these parcels is on another sheet.'),
  });
});

test('a sheet has labels of its seller only, of one address and the day', async () => {
  const [seller, other] = [await labelShop.shop.seller(), await labelShop.shop.seller()];
  const own = await buy(seller);
  const foreign = await buy(other);
  expect(await refusalOf(print(seller, own, foreign))).toMatchObject(refusedLabels);
  expect(await refusalOf(print(seller, foreign))).toMatchObject(refusedLabels);
  expect(await refusalOf(print(seller, own, own))).toMatchObject(refusedLabels);
  const many = Array.from({ length: MAXIMUM_PRINTED + 1 }, () => own);
  expect(await refusalOf(print(seller, ...many))).toMatchObject({ code: 'invalid_input' });

  const moved = await buy(seller, { from: { line1: '417 Montgomery Street' } });
  expect(await offered(seller)).toEqual([]);
  expect(await refusalOf(print(seller, own, moved))).toMatchObject(refusedLabels);
  const second = await buy(seller, { from: { line1: '417 Montgomery Street' } });
  expect(await offered(seller)).toMatchObject([{ labels: [moved._id, second._id] }]);

  await labelShop.shop.connection.pool.query(
    `update labels set bought_at = now() - interval '1 day' where id = $1`,
    [moved._id],
  );
  expect(await offered(seller)).toEqual([]);
  expect(await refusalOf(print(seller, moved, second))).toMatchObject(refusedLabels);
  expect(await formIdOf(second)).toBeNull();
});
