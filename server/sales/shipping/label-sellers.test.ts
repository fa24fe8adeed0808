// At whose risk the shop buys a label: it pays first, and a throwaway account pays nothing back.
import { expect, test } from 'vitest';
import { readOwnMoney } from '#contract/money/payouts.ts';
import { cancelSale } from '#contract/sales/complaints.ts';
import { listOrderLabels, setReturnAddress } from '#contract/sales/labels.ts';
import { readOrder } from '#contract/sales/orders.ts';
import { receiveParcel, reportParcel, shipParcel } from '#contract/sales/shipping.ts';
import { onboardedSeller } from '#tests/harness/money/connected-seller.ts';
import type { Person } from '#tests/harness/operations/shop.ts';
import { sampleSender, verify } from '#tests/harness/sales/carriers.ts';
import { refusalOf, setUpLabelShop } from '#tests/harness/sales/label-shop.ts';
import { payOutSale, type Sale, sampleAddress, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';
import { followLabels } from './follow-labels.ts';

const labelShop = setUpLabelShop();
const { params, quote, take, buy, report, waitForJobs, dependencies, complainAbout, accept } = labelShop;
const sell = (seller: Person) => sellLaptop(labelShop.shop, { seller, address: sampleAddress });
const verifySeller = (seller: Person) => verify(labelShop.shop, seller);
const quoteReturn = (sale: Sale) => quote(sale, {}, 'back');

const refused = (detail: string) => ({
  ...{ code: 'label_refused', errors: [], detail: expect.stringContaining(detail) },
});

/** Sends a laptop with a number of the seller's own; it arrives, and the seller takes it back. */
async function awaitReturn(sale: Sale, trackingNumber: string): Promise<void> {
  await sale.seller.client.call(shipParcel, {
    params: params(sale),
    body: { carrier: 'UPS', trackingNumber },
  });
  await sale.buyer.client.call(receiveParcel, { params: params(sale) });
  await complainAbout(sale, 'not_as_described');
  await accept(sale);
}

test('a label needs a confirmed address and an account for payouts, and then the first laptop is sent', {
  tags: 'long',
}, async () => {
  const unconfirmed = await sell(await labelShop.shop.seller('Uma Unconfirmed', { email_verified: false }));
  expect(await refusalOf(quote(unconfirmed))).toEqual(refused('confirm yours with the link'));

  const stranger = await sell(await labelShop.shop.seller());
  expect(await refusalOf(quote(stranger))).toEqual(refused('open your account for payouts'));
  expect(
    (await labelShop.fake.shipments()).filter(({ reference }) => reference === stranger.orderId),
  ).toEqual([]);
  // A label of one's own costs the shop nothing.
  await stranger.seller.client.call(shipParcel, {
    params: params(stranger),
    body: { carrier: 'UPS', trackingNumber: '1Z 555 AA1 1111' },
  });

  const first = await sell(await onboardedSeller(labelShop.shop));
  await buy(first);
  expect(await first.seller.client.call(listOrderLabels, { params: params(first) })).toMatchObject({
    labels: [{ state: 'bought' }],
  });
});

test('a seller who was not paid yet has one label at a time and three in a month, and then as many as needed', async () => {
  const seller = await onboardedSeller(labelShop.shop);
  const [first, second, third, fourth] = await Promise.all([
    sell(seller),
    sell(seller),
    sell(seller),
    sell(seller),
  ]);
  // Both prices are known before either is bought.
  const quotes = [await quote(first), await quote(second)];
  const bids = await Promise.allSettled(quotes.map((each) => take(seller, each)));
  expect(bids.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await waitForJobs();
  const [open, next] = bids[0]?.status === 'fulfilled' ? [first, second] : [second, first];
  expect(await refusalOf(quote(next))).toEqual(refused('one label at a time'));
  await report(open, 'delivered');
  await buy(next);
  await report(next, 'delivered');
  await buy(third);
  await report(third, 'delivered');
  expect(await refusalOf(quote(fourth))).toEqual(refused('3 labels in 30 days'));

  await payOutSale(open, await labelShop.shop.admin());
  await buy(fourth);
});

test('a seller who owes the shop gets no label, also a verified one', async () => {
  const seller = await labelShop.shop.seller();
  await verifySeller(seller);
  const cancelled = await sell(seller);
  await buy(cancelled);
  await seller.client.call(cancelSale, { params: params(cancelled), body: { text: 'It fell down.' } });
  await followLabels(dependencies(), new Date());
  await waitForJobs();
  await report(cancelled, 'rejected');
  expect((await seller.client.call(readOwnMoney, {})).owed).toBe(16.48);
  expect(await refusalOf(quote(await sell(seller)))).toEqual(refused('You owe the shop $16.48'));
});

test('a parcel with a label of the shop is back when its carrier says so, or after a silent week', {
  tags: 'long',
}, async () => {
  const seller = await labelShop.shop.seller();
  await verifySeller(seller);
  const back = (sale: Sale, move: 'take_back' | 'send_again' = 'take_back') =>
    seller.client.call(reportParcel, { params: params(sale), body: { move, text: 'It came back.' } });
  const state = async (sale: Sale) => (await seller.client.call(readOrder, { params: params(sale) })).state;
  const refusedMove = {
    code: 'order_moved',
    errors: [],
    detail: expect.stringContaining('has not reported'),
  };

  const [turned, lost, silent, unscanned] = [
    await sell(seller),
    await sell(seller),
    await sell(seller),
    await sell(seller),
  ];
  for (const sale of [turned, lost, silent]) {
    await buy(sale);
    await report(sale, 'in_transit');
    expect(await refusalOf(back(sale))).toEqual(refusedMove);
    // It would be cancelled next, which gives the price back as well.
    expect(await refusalOf(back(sale, 'send_again'))).toEqual(refusedMove);
    expect(await state(sale)).toBe('shipped');
  }
  // The seller says that the carrier has it, which has not scanned it.
  await buy(unscanned);
  const { labels } = await seller.client.call(listOrderLabels, { params: params(unscanned) });
  await seller.client.call(shipParcel, {
    params: params(unscanned),
    body: { carrier: 'UPS', trackingNumber: labels[0]?.trackingNumber ?? '' },
  });
  expect(await refusalOf(back(unscanned))).toEqual(refusedMove);

  await report(turned, 'return_to_sender');
  await back(turned);
  await report(lost, 'failure');
  await back(lost, 'send_again');
  const daysAgo = (sale: Sale, days: number) =>
    labelShop.shop.connection.pool.query(
      'update labels set tracked_at = now() - make_interval(days => $2) where order_id = $1',
      [sale.orderId, days],
    );
  await daysAgo(silent, 6);
  expect(await refusalOf(back(silent))).toEqual(refusedMove);
  await daysAgo(silent, 8);
  await back(silent);
  expect([await state(turned), await state(lost), await state(silent)]).toEqual([
    'refunded',
    'to_ship',
    'refunded',
  ]);
});

test('a return label is bought at the risk of a seller whom the shop knows, or can pay', async () => {
  const sale = await sell(await labelShop.shop.seller());
  await awaitReturn(sale, '1Z 555 BB2 2222');
  const body = { sender: sampleSender };
  await sale.seller.client.call(setReturnAddress, { params: params(sale), body });
  expect(await refusalOf(quoteReturn(sale))).toEqual(refused('agree in Messages on who pays'));
  await verifySeller(sale.seller);
  await take(sale.buyer, await quoteReturn(sale));
});

test('a return label leads to the latest address of its order, whatever the seller enters for another one', async () => {
  const seller = await labelShop.shop.seller();
  await verifySeller(seller);
  const [returning, other] = [await sell(seller), await sell(seller)];
  await awaitReturn(returning, '1Z 555 CC3 3333');
  const save = (changes: Partial<typeof sampleSender>) =>
    seller.client.call(setReturnAddress, {
      params: params(returning),
      body: { sender: { ...sampleSender, ...changes } },
    });
  await save({});
  const former = await quoteReturn(returning);
  const line1 = '417 Montgomery St';
  await save({ line1, postalCode: '94104' });
  expect(await refusalOf(take(returning.buyer, former))).toMatchObject({
    code: 'not_found',
    detail: expect.stringContaining('when an address changes'),
  });

  const quoted = await quoteReturn(returning);
  await quote(other, { line1: '300 Market St' });
  await take(returning.buyer, quoted);
  await waitForJobs();
  // EasyPost names the addresses of a return as those of the way out.
  expect((await labelShop.fake.shipmentOf(returning.orderId, 'back')).from_address.street1).toBe(line1);
});

test('the address that a seller entered last, for whichever order, is proposed for the next order', async () => {
  const seller = await labelShop.shop.seller();
  await verifySeller(seller);
  const [first, second, next] = [await sell(seller), await sell(seller), await sell(seller)];
  await quote(first);
  await quote(second, { line1: '300 Market St' });
  const proposed = async () =>
    (await seller.client.call(listOrderLabels, { params: params(next) })).sender?.line1;
  expect(await proposed()).toBe('300 Market St');
  await quote(first, { line1: '417 Montgomery St', postalCode: '94104' });
  expect(await proposed()).toBe('417 Montgomery St');
  await quote(second, { line1: '300 Market St' });
  expect(await proposed()).toBe('300 Market St');
});
