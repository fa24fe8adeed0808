// The measurement on the spot: its code, what it is compared with, and what it must not change.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { submitReport } from '#contract/certification/inspections.ts';
import { createSameLaptopCode } from '#contract/certification/same-laptop.ts';
import { answerAsBuyer, answerAsSeller, complain } from '#contract/sales/complaints.ts';
import { handOver, readOrder } from '#contract/sales/orders.ts';
import { receiveParcel, shipParcel } from '#contract/sales/shipping.ts';
import { thinkpad } from '#server/certification/inspections/testing/linux-tree.ts';
import { createReport, measureAs, sendReport } from '#server/certification/inspections/testing/measure.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { type Sale, sampleAddress, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

let shop: TestShop;

beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop.close());

/** Sells a laptop that was measured before. */
async function sellMeasured(): Promise<Sale> {
  const seller = await shop.seller();
  const laptopId = await shop.laptop(seller);
  await measureAs(shop, seller, laptopId, thinkpad);
  return sellLaptop(shop, { seller, laptopId });
}

const newCode = async ({ seller, orderId }: Sale) =>
  (await seller.client.call(createSameLaptopCode, { params: { _id: orderId } })).code;
const read = ({ buyer, orderId }: Sale) => buyer.client.call(readOrder, { params: { _id: orderId } });

/** The rows that a check must not change. */
async function listingOf({ laptopId }: Sale): Promise<unknown> {
  const { rows } = await shop.connection.pool.query(
    `select to_jsonb(laptops) as laptop, (select count(*)::int from measurements where laptop_id = laptops.id) as measurements,
            (select jsonb_agg(to_jsonb(v)) from certificate_versions v where v.laptop_id = laptops.id) as certificates
       from laptops where id = $1`,
    [laptopId],
  );
  return rows[0];
}

test('the same laptop is green for both, with its time, and the listing and its certificate stay', async () => {
  const sale = await sellMeasured();
  const before = await listingOf(sale);
  const report = createReport(thinkpad, await newCode(sale));
  expect(await sendReport(shop.origin, report)).toContain('Received');
  const { laptopChecks } = await read(sale);
  expect(laptopChecks).toMatchObject([{ result: 'same', differences: [] }]);
  expect(Math.abs(Date.parse(laptopChecks[0]?.at ?? '') - Date.now())).toBeLessThan(300_000);
  const bySeller = await sale.seller.client.call(readOrder, { params: { _id: sale.orderId } });
  expect(bySeller.laptopChecks).toEqual(laptopChecks);
  expect(await listingOf(sale)).toEqual(before);
  // The code is used.
  expect(await sendReport(shop.origin, report)).toContain('was used already');
  expect((await read(sale)).laptopChecks).toHaveLength(1);
});

test('another laptop is listed with what differs, and the hand-over stays possible', async () => {
  const sale = await sellMeasured();
  const other = {
    ...thinkpad,
    '/sys/class/dmi/id/product_serial': 'PF9ZZZZZ\n',
    '/sys/class/power_supply/BAT0/cycle_count': '12\n',
  };
  await sendReport(shop.origin, createReport(other, await newCode(sale)));
  const [check] = (await read(sale)).laptopChecks;
  expect(check?.result).toBe('different');
  expect(check?.differences.map(({ subject }) => subject)).toEqual(['Serial number', 'Battery cycles']);
  const { seller, orderId, code } = sale;
  await seller.client.call(handOver, { params: { _id: orderId }, body: { code } });
  expect(await read(sale)).toMatchObject({ state: 'released', laptopChecks: [{ result: 'different' }] });
});

test('a new code replaces the one before, and a report file goes to its own laptop only', async () => {
  const sale = await sellMeasured();
  const replaced = createReport(thinkpad, await newCode(sale));
  const report = createReport(thinkpad, await newCode(sale));
  expect(await sendReport(shop.origin, replaced)).toContain('was used already, or has expired');
  const upload = (laptopId: string) => sale.seller.client.call(submitReport, { body: { laptopId, report } });
  await expect(upload(await shop.laptop(sale.seller))).rejects.toMatchObject({ code: 'report_refused' });
  expect((await read(sale)).laptopChecks).toEqual([]);
  await upload(sale.laptopId);
  expect((await read(sale)).laptopChecks).toMatchObject([{ result: 'same' }]);
});

test('there is no code for another seller, for a laptop that was not measured, and after the hand-over', async () => {
  const sale = await sellMeasured();
  const stranger = await shop.seller();
  await expect(newCode({ ...sale, seller: stranger })).rejects.toMatchObject({ code: 'not_found' });
  const unmeasured = await sellLaptop(shop);
  expect(await read(unmeasured)).toMatchObject({ isMeasured: false, laptopChecks: [] });
  await expect(newCode(unmeasured)).rejects.toMatchObject({ code: 'not_measured' });
  const { seller, orderId, code } = sale;
  await seller.client.call(handOver, { params: { _id: orderId }, body: { code } });
  await expect(newCode(sale)).rejects.toMatchObject({ code: 'order_moved' });
});

test('when its parcel has arrived, the buyer measures the laptop, which says nothing of the seller’s other laptops', async () => {
  const seller = await shop.seller();
  const laptopId = await shop.laptop(seller, { delivery: 'ship' });
  await measureAs(shop, seller, laptopId, thinkpad);
  const sale = await sellLaptop(shop, { seller, laptopId, address: sampleAddress });
  const params = { _id: sale.orderId };
  const codeOf = ({ client }: Person) => client.call(createSameLaptopCode, { params });
  await expect(codeOf(sale.buyer)).rejects.toMatchObject({ code: 'order_moved' });
  await seller.client.call(shipParcel, { params, body: { carrier: 'UPS', trackingNumber: '1Z0000SAME' } });
  await sale.buyer.client.call(receiveParcel, { params });
  await expect(codeOf(seller)).rejects.toMatchObject({ code: 'not_found' });

  const locks = async () =>
    (await shop.connection.pool.query('select count(*)::int as known from found_locks')).rows;
  const before = await locks();
  const locked = {
    ...thinkpad,
    '/sys/class/firmware-attributes/thinklmi/authentication/Admin/is_enabled': '1\n',
  };
  const { code } = await codeOf(sale.buyer);
  expect(await sendReport(shop.origin, createReport(locked, code))).toContain('Received');
  expect(await read(sale)).toMatchObject({ state: 'delivered', laptopChecks: [{ result: 'same' }] });
  expect(await locks()).toEqual(before);

  // It returns: a code of before says nothing of it any more.
  const { code: late } = await codeOf(sale.buyer);
  const body = { kind: 'does_not_work', text: 'It does not start.', photos: [] } as const;
  await sale.buyer.client.call(complain, { params, body });
  await seller.client.call(answerAsSeller, { params, body: { move: 'accept' } });
  await sale.buyer.client.call(answerAsBuyer, { params, body: { move: 'report_return' } });
  expect(await sendReport(shop.origin, createReport(thinkpad, late))).not.toContain('Received');
  expect((await read(sale)).laptopChecks).toHaveLength(1);
});
