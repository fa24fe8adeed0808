// The prices of labels and their purchase: what is refused, and what is bought once.

import { expect, test, vi } from 'vitest';
import { readShopMoney } from '#contract/money/accounting.ts';
import { cancelSale } from '#contract/sales/complaints.ts';
import { buyLabel, printLabels, readShippingEstimates, voidLabel } from '#contract/sales/labels.ts';
import { refundOrder } from '#contract/sales/orders.ts';
import { changeAddress, receiveParcel, shipParcel } from '#contract/sales/shipping.ts';
import { refusalOf, setUpLabelShop } from '#tests/harness/sales/label-shop.ts';
import { sampleAddress } from '#tests/harness/sales/sold-laptop.ts';
import { followLabel } from './follow-labels.ts';

const labelShop = setUpLabelShop();
const {
  sell,
  params,
  read,
  labels,
  quote,
  take,
  buy,
  shipmentOf,
  report,
  dependencies,
  ledgerOf,
  waitForJobs,
} = labelShop;

test('a retry after a crash buys nothing twice: the answer was lost, the process was killed before the record, two at once', async () => {
  const lost = await sell();
  const quoted = await quote(lost);
  await labelShop.fake.fail('lost_answer');
  const body = { rate: quoted.rates[0]?._id ?? '', price: quoted.rates[0]?.price ?? 0 };
  await lost.seller.client.call(buyLabel, { params: quoted, body });
  await expect.poll(async () => (await labels(lost)).labels[0]?.state, { timeout: 20_000 }).toBe('bought');
  await waitForJobs();

  const killed = await sell();
  const before = await quote(killed);
  const { rows } = await labelShop.shop.connection.pool.query<{ shipment_id: string; rate_id: string }>(
    `select shipment_id, rates->0->>'rateId' as rate_id from labels where id = $1`,
    [before._id],
  );
  const { shipment_id: shipmentId = '', rate_id: rateId = '' } = rows[0] ?? {};
  // What the killed process did before it could record it.
  const bought = await labelShop.fake.carriers.buy(shipmentId, { rateId, insuredCents: 54_999 });
  const again = { rate: rateId, price: before.rates[0]?.price ?? 0 };
  await killed.seller.client.call(buyLabel, { params: before, body: again });
  await waitForJobs();
  expect((await labels(killed)).labels).toMatchObject([
    { state: 'bought', trackingNumber: bought.label?.trackingNumber },
  ]);

  const twice = await sell();
  const { _id, rates } = await quote(twice);
  const call = () =>
    twice.seller.client.call(buyLabel, {
      params: { _id },
      body: { rate: rates[0]?._id ?? '', price: rates[0]?.price ?? 0 },
    });
  const answers = await Promise.all([call(), call(), call()]);
  expect(answers.map(({ modifiedCount }) => modifiedCount).sort()).toEqual([0, 0, 1]);
  await waitForJobs();
  const ofOrders = (await labelShop.fake.shipments()).filter(({ postage_label }) => postage_label !== null);
  for (const { orderId } of [lost, killed, twice]) {
    expect(ofOrders.filter(({ reference }) => reference === orderId)).toHaveLength(1);
  }
  expect(await ledgerOf(twice, 'carrier_payable')).toBe(-1_648);
  // While one is bought, no other price is asked for.
  expect(await refusalOf(quote(twice))).toMatchObject({ code: 'label_refused' });

  // Of two quotes at once, one is left to be bought.
  const both = await sell();
  const quotes = await Promise.all([quote(both), quote(both)]);
  const bids = await Promise.allSettled(quotes.map((each) => take(both.seller, each)));
  expect(bids.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await waitForJobs();
  expect((await labels(both)).labels.map(({ state }) => state)).toEqual(['bought']);
});

test('what the carrier declines is said, costs nothing, and can be asked again', async () => {
  const sale = await sell();
  await labelShop.fake.fail('declined');
  await buy(sale);
  expect((await labels(sale)).labels).toMatchObject([
    { state: 'failed', problem: 'The carrier does not accept this parcel.' },
  ]);
  expect(await ledgerOf(sale, 'carrier_payable')).toBe(0);
  await buy(sale);
  expect((await labels(sale)).labels.map(({ state }) => state)).toEqual(['failed', 'bought']);
});

test('a label whose carrier was away is not bought afterwards when its order has ended', async () => {
  const sale = await sell();
  const { _id, rates } = await quote(sale);
  // As a purchase does, whose job waits for the carrier.
  await labelShop.shop.connection.pool.query(
    `update labels set state = 'buying', rate_id = $2 where id = $1`,
    [_id, rates[0]?._id],
  );
  await sale.seller.client.call(cancelSale, { params: params(sale), body: { text: 'It fell down.' } });
  await waitForJobs();
  await followLabel(dependencies(), _id);
  await waitForJobs();
  expect((await labels(sale)).labels).toMatchObject([{ state: 'voided' }]);
  const bought = (await labelShop.fake.shipments()).filter(({ postage_label }) => postage_label !== null);
  expect(bought.map(({ reference }) => reference)).not.toContain(sale.orderId);
});

test('a label is printed and given back only by its seller, and its number proves nothing for others', async () => {
  const [sale, other] = [await sell(), await sell()];
  const label = await buy(sale);
  const { client } = other.seller;
  expect(await refusalOf(client.call(voidLabel, { params: { _id: label } }))).toMatchObject({
    code: 'not_found',
  });
  const printed = client.call(printLabels, { body: { paper: '4x6', label } });
  expect(await refusalOf(printed)).toMatchObject({ code: 'label_refused' });
  const { trackingNumber = '' } = (await labels(sale)).labels[0] ?? {};
  const body = { carrier: 'UPS', trackingNumber };
  expect(await refusalOf(client.call(shipParcel, { params: params(other), body }))).toMatchObject({
    code: 'invalid_input',
    errors: ['trackingNumber'],
  });
  await sale.seller.client.call(shipParcel, { params: params(sale), body });
  await waitForJobs();
  expect((await labels(sale)).labels).toMatchObject([{ state: 'used' }]);
  await sale.buyer.client.call(receiveParcel, { params: params(sale) });
  expect((await read(sale, sale.buyer)).state).toBe('delivered');
});

test('with the setting the shop bears the labels', async () => {
  await labelShop.shop.changeSettings({ shippingBorneBy: 'shop' });
  const sale = await sell();
  // The seller does not pay it, and so does not choose a dearer one.
  expect((await quote(sale)).rates).toMatchObject([{ service: 'Ground', price: 16.48 }]);
  await buy(sale);
  expect(await refusalOf(quote(await sell({ price: 11 })))).toMatchObject({
    code: 'label_refused',
    detail: expect.stringContaining('is more than the $11.00 that are left of the price. Nothing was bought'),
  });
  await labelShop.shop.changeSettings({ shippingBorneBy: 'seller' });
  await report(sale, 'delivered');
  expect(await read(sale, sale.seller)).toMatchObject({ labels: 0, proceeds: 549.99 });
  expect(await ledgerOf(sale, 'shipping')).toBe(1_648);
  expect((await labelShop.admin.client.call(readShopMoney, {})).shippingCents).toBeGreaterThanOrEqual(1_648);
});

test('a wrong address is refused with its field, before anything is bought', async () => {
  const sale = await sell();
  expect(await refusalOf(quote(sale, { line1: 'Unknown Street' }))).toMatchObject({
    code: 'invalid_input',
    errors: ['sender.line1'],
  });
  expect(await refusalOf(quote(sale, { postalCode: '94107-99' }))).toMatchObject({
    errors: ['sender.postalCode'],
  });
  expect(await refusalOf(quote(sale, { country: 'PT', postalCode: '1000-001' }))).toMatchObject({
    errors: ['sender.country'],
  });
  expect(await refusalOf(quote(sale, { name: 'سامي البائع' }))).toMatchObject({
    code: 'invalid_input',
    errors: ['sender.name'],
    detail: 'Carriers print Latin letters only. Nothing was bought; please write the name in them.',
  });
  expect(await refusalOf(quote(sale, { name: 'Sam '.repeat(75) }))).toMatchObject({
    errors: ['sender.name'],
  });
  expect(await refusalOf(quote(sale, { phone: '4'.repeat(300) }))).toMatchObject({
    errors: ['sender.phone'],
  });
  expect(await refusalOf(quote(sale, { phone: '+1 415 555' }))).toMatchObject({
    code: 'invalid_input',
    errors: ['sender.phone'],
    detail: expect.stringContaining('too few digits'),
  });

  const foreign = await sell({ address: { ...sampleAddress, name: 'ביאטריס' } });
  const refused = await refusalOf(quote(foreign));
  expect(refused.code).toBe('label_refused');
  expect(refused.detail).not.toContain('ביאטריס');
  expect(refused.detail).toContain('The name in the other address uses other letters.');
  // A price is not the buyer's to choose, and holds for its label only.
  const { _id: label, rates } = await quote(sale);
  const bid = (rate: string, price: number) =>
    sale.seller.client.call(buyLabel, { params: { _id: label }, body: { rate, price } });
  expect(await refusalOf(bid(rates[0]?._id ?? '', 1))).toMatchObject({ code: 'price_differs' });
  expect(await refusalOf(bid('rate_of_another', rates[0]?.price ?? 0))).toMatchObject({
    code: 'price_differs',
  });
});

test('a seller reads what a label costs before listing, by the size of the laptop', async () => {
  const seller = await labelShop.shop.seller();
  const read = (country: string) => seller.client.call(readShippingEstimates, { query: { country } });
  const { sizes, insurance, leastInsurance } = await read('US');
  expect(sizes).toEqual([
    { upTo: 14.5, price: 9.72 },
    { upTo: 16.5, price: 10.98 },
    { upTo: 21, price: 13.02 },
  ]);
  expect([insurance, leastInsurance]).toEqual([1, 1]);
  // Nothing is asked about it: its price is shown at the purchase.
  expect(await read('PT')).toMatchObject({ hasLabels: true, sizes: [] });
});

test('a label costs no more than the sale leaves its seller', async () => {
  // 10.98 for 3,600 g, and at least 1.00 for the insurance.
  const cheap = await sell({ price: 11.5 });
  expect(await refusalOf(quote(cheap))).toMatchObject({
    code: 'label_refused',
    detail: expect.stringContaining(
      'costs $11.98 with its insurance, and of this sale $11.50 are left for you',
    ),
  });
  // The carrier has not given the price of the first label back.
  const twice = await sell({ price: 20 });
  const _id = await buy(twice);
  await twice.seller.client.call(voidLabel, { params: { _id } });
  await waitForJobs();
  // It is deducted only if the carrier keeps it.
  expect((await read(twice, twice.seller)).labels).toBeUndefined();
  expect(await refusalOf(quote(twice))).toMatchObject({
    code: 'label_refused',
    detail: expect.stringContaining('of this sale $8.02 are left for you'),
  });
  await report(twice, 'refunded');
  expect((await quote(twice)).rates[0]).toMatchObject({ price: 11.98 });
  // A part of the price goes back after the prices were shown.
  const sale = await sell({ price: 30 });
  const quoted = await quote(sale);
  await labelShop.admin.client.call(refundOrder, {
    params: params(sale),
    body: { amount: 20, from: 'seller', text: 'The battery is worn out.' },
  });
  await waitForJobs();
  expect(await refusalOf(take(sale.seller, quoted))).toMatchObject({
    code: 'label_refused',
    detail: expect.stringContaining('of this sale $10.00 are left for you'),
  });
  expect(await ledgerOf(sale, 'carrier_payable')).toBe(0);
});

test('no label is bought with an address that was changed meanwhile', async () => {
  const sale = await sell();
  const change = (line1: string) =>
    sale.buyer.client.call(changeAddress, { params: params(sale), body: { ...sampleAddress, line1 } });
  // After the prices were shown.
  const quoted = await quote(sale);
  await change('1300 NE Broadway');
  expect(await refusalOf(take(sale.seller, quoted))).toMatchObject({
    code: 'not_found',
    detail: expect.stringContaining('when an address changes: please ask for them again'),
  });
  // While carriers were asked.
  const ask = labelShop.fake.carriers.quote;
  vi.spyOn(labelShop.fake.carriers, 'quote').mockImplementationOnce(async (shipment) => {
    await change('1400 NE Broadway');
    return ask(shipment);
  });
  expect(await refusalOf(quote(sale))).toMatchObject({
    code: 'label_refused',
    detail: 'An address was changed meanwhile. Nothing was bought; please ask for the prices again.',
  });
  await buy(sale);
  expect((await shipmentOf(sale)).to_address.street1).toBe('1400 NE Broadway');
});
