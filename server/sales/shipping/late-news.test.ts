// What carriers report when an order has gone on without them: parcels that arrive, turn back or are scanned too late.

import { expect, test } from 'vitest';
import { readOwnData } from '#contract/operations/privacy.ts';
import { listToDo } from '#contract/operations/to-do.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import { answerAsBuyer, answerAsSeller } from '#contract/sales/complaints.ts';
import { printLabels, quoteLabel, setReturnAddress, voidLabel } from '#contract/sales/labels.ts';
import { answerMeeting, proposeMeeting } from '#contract/sales/meetings.ts';
import { openConversation } from '#contract/sales/messages.ts';
import { refundOrder } from '#contract/sales/orders.ts';
import {
  changeAddress,
  decideDelivered,
  listLateParcels,
  receiveParcel,
  reportParcel,
  shipParcel,
} from '#contract/sales/shipping.ts';
import type { Person } from '#tests/harness/operations/shop.ts';
import { scrapeMetrics } from '#tests/harness/operations/shop-metrics.ts';
import { everyPage } from '#tests/harness/platform/every-page.ts';
import { sampleSender } from '#tests/harness/sales/carriers.ts';
import { DISPUTED_CARD, disputeSales } from '#tests/harness/sales/disputed-sale.ts';
import { refusalOf, setUpLabelShop } from '#tests/harness/sales/label-shop.ts';
import { type Sale, sampleAddress } from '#tests/harness/sales/sold-laptop.ts';
import type { ParcelTrouble } from './notification-texts.ts';
import { parcelInTrouble } from './notifications.ts';

const labelShop = setUpLabelShop();
const {
  sell,
  params,
  read,
  labels,
  quote,
  buy,
  report,
  passDays,
  ledgerOf,
  claimOf,
  waitForJobs,
  complainAbout,
  accept,
} = labelShop;

const print = ({ client }: Person, label: string) =>
  client.call(printLabels, { body: { paper: 'A4', label } });

/** Sells a laptop that its buyer has to return, with a label of the shop to the buyer or with the seller's own. */
async function sellAndReturn({
  isOwnLabel = false,
  card,
}: {
  isOwnLabel?: boolean;
  card?: string;
} = {}): Promise<Sale> {
  const sale = await sell(card === undefined ? {} : { card });
  if (isOwnLabel) {
    const body = { carrier: 'UPS', trackingNumber: `1Z${sale.orderId.replaceAll('-', '').slice(0, 12)}` };
    await sale.seller.client.call(shipParcel, { params: params(sale), body });
    await sale.buyer.client.call(receiveParcel, { params: params(sale) });
  } else {
    await buy(sale);
    await report(sale, 'delivered');
  }
  await complainAbout(sale, 'not_as_described');
  await accept(sale);
  await waitForJobs();
  expect((await read(sale)).state).toBe('awaiting_return');
  return sale;
}

/** The people of a sale who got an email with a subject. */
const toldOf = (sale: Sale, subject: string) => {
  const people = { buyer: sale.buyer, seller: sale.seller, admin: labelShop.admin };
  const told = labelShop.shop.mails.filter((mail) => mail.subject.startsWith(subject)).map(({ to }) => to);
  return Object.entries(people).flatMap(([role, { email }]) => (told.includes(email) ? role : []));
};
const forget = () => labelShop.shop.mails.splice(0);
const lateParcels = () =>
  everyPage((from) => labelShop.admin.client.page(listLateParcels, { query: { limit: 100, ...from } }));
const listed = async (sale: Sale) => (await lateParcels()).find(({ _id }) => _id === sale.orderId);
test.each([
  [
    'counted as lost',
    async (sale: Sale) => {
      await report(sale, 'in_transit');
      await passDays(15);
    },
  ],
  ['was not scanned in time', (sale: Sale) => passDays(6).then(() => expect(sale).toBeDefined())],
  [
    'was complained about, and its seller did not answer',
    async (sale: Sale) => {
      await report(sale, 'in_transit');
      await complainAbout(sale, 'not_arrived');
      await passDays(6);
    },
  ],
])(
  'a parcel that %s and then arrives is told to all, and listed until it is offered again',
  async (_title, refund) => {
    const sale = await sell();
    await buy(sale);
    await refund(sale);
    expect(await read(sale)).toMatchObject({ state: 'refunded', laptopWithBuyer: false });
    forget();
    await report(sale, 'delivered');
    const subject = 'A parcel arrived after its price went back';
    expect(toldOf(sale, subject)).toEqual(['buyer', 'seller', 'admin']);
    expect(await listed(sale)).toMatchObject({ state: 'arrived_late', dueAt: null });
    expect((await read(sale)).timeline.at(-1)).toMatchObject({ event: 'arrive_late', by: 'carrier' });
    // Once.
    forget();
    await report(sale, 'delivered');
    expect(toldOf(sale, subject)).toEqual([]);
    await labelShop.shop.connection.pool.query(`update laptops set state = 'available' where id = $1`, [
      sale.laptopId,
    ]);
    expect(await listed(sale)).toBeUndefined();
  },
);

test('a parcel that its seller has again arrives at nobody', async () => {
  const sale = await sellAndReturn();
  await sale.seller.client.call(answerAsSeller, { params: params(sale), body: { move: 'confirm_return' } });
  await report(sale, 'in_transit');
  await report(sale, 'delivered');
  expect(toldOf(sale, 'A parcel arrived after')).toEqual([]);
  expect(await listed(sale)).toBeUndefined();
});

test('a parcel with a printed label is waited for three days more, once, before the price goes back', async () => {
  const sale = await sell();
  const label = await buy(sale);
  await print(sale.seller, label);
  await passDays(6);
  expect((await read(sale)).state).toBe('to_ship');
  forget();
  await passDays(6.1);
  // The new deadline has a reminder of its own.
  expect(toldOf(sale, 'Please send')).toEqual(['seller']);
  await report(sale, 'in_transit');
  expect((await read(sale)).state).toBe('shipped');

  const never = await sell();
  await print(never.seller, await buy(never));
  await passDays(6);
  await passDays(8.5);
  expect((await read(never)).state).toBe('to_ship');
  await passDays(9.5);
  expect((await read(never)).state).toBe('refunded');
});

test('a return with a printed label is waited for three days more, once, before its deadline counts', async () => {
  const sale = await sellAndReturn();
  await print(sale.buyer, await buy(sale, 'back'));
  await passDays(15);
  expect((await read(sale)).state).toBe('awaiting_return');
  await report(sale, 'in_transit', 'back');
  expect((await read(sale)).state).toBe('return_reported');

  const never = await sellAndReturn();
  await print(never.buyer, await buy(never, 'back'));
  await passDays(15);
  await passDays(17.5);
  expect((await read(never)).state).toBe('awaiting_return');
  await passDays(18.5);
  expect((await read(never)).state).toBe('released');
  // What arrives now is the seller's, with the money.
  forget();
  await report(never, 'delivered', 'back');
  expect(toldOf(never, 'A return arrived after its deadline')).toEqual(['buyer', 'seller', 'admin']);
  expect(await listed(never)).toMatchObject({ state: 'arrived_late' });
});

test('a return that turns back to its buyer gives no price back: an admin decides', async () => {
  const sale = await sellAndReturn();
  await buy(sale, 'back');
  await report(sale, 'in_transit', 'back');
  forget();
  await report(sale, 'return_to_sender', 'back');
  expect(await read(sale)).toMatchObject({ state: 'contested', laptopWithBuyer: true });
  expect(toldOf(sale, 'The return goes back')).toEqual(['buyer', 'seller']);
  expect(toldOf(sale, 'A return goes back to its buyer')).toEqual(['admin']);
  // Nobody decides: it returns again, with another label.
  await passDays(15);
  expect((await read(sale)).state).toBe('awaiting_return');
  await buy(sale, 'back');
  await report(sale, 'delivered', 'back');
  expect(await read(sale)).toMatchObject({ state: 'return_reported', laptopWithBuyer: false });
});

const answer = (sale: Sale, body: { move: 'deny_return' | 'confirm_return' | 'offer'; amount?: number }) =>
  sale.seller.client.call(answerAsSeller, { params: params(sale), body: { text: 'As I see it.', ...body } });
const isClaimed = async (label: string) => (await claimOf(label)) !== undefined;

test('a return that is denied, of which a part of the price is offered, and that turns back is with its buyer: no deadline gives the price back', async () => {
  const sale = await sellAndReturn();
  const label = await buy(sale, 'back');
  await report(sale, 'in_transit', 'back');
  await answer(sale, { move: 'deny_return' });
  await answer(sale, { move: 'offer', amount: 60 });
  expect((await read(sale)).laptopWithBuyer).toBe(false);
  expect(await isClaimed(label)).toBe(true);
  forget();
  await report(sale, 'return_to_sender', 'back');
  expect(await read(sale)).toMatchObject({ state: 'contested', laptopWithBuyer: true });
  expect(toldOf(sale, 'A return goes back to its buyer')).toEqual(['admin']);
  expect(await isClaimed(label)).toBe(false);
  // Once.
  forget();
  await report(sale, 'in_transit', 'back');
  await report(sale, 'return_to_sender', 'back');
  expect(toldOf(sale, 'A return goes back to its buyer')).toEqual([]);
  await passDays(15);
  expect(await read(sale)).toMatchObject({ state: 'awaiting_return', refunded: 0 });
});

test.each([
  ['winning_evidence', 'contested', 'awaiting_return'],
  ['losing_evidence', 'charged_back', 'charged_back'],
] as const)(
  'a return that turns back during a bank’s dispute is with its buyer after the %s',
  async (evidence, decided, later) => {
    const sale = await sellAndReturn({ card: DISPUTED_CARD });
    await buy(sale, 'back');
    await report(sale, 'in_transit', 'back');
    const decide = await disputeSales(labelShop.shop);
    forget();
    await report(sale, 'return_to_sender', 'back');
    expect(await read(sale)).toMatchObject({ state: 'charge_disputed', laptopWithBuyer: true });
    expect(toldOf(sale, 'The return goes back')).toEqual(['buyer', 'seller']);
    expect(toldOf(sale, 'A return goes back to its buyer')).toEqual(['admin']);
    await decide(sale, evidence);
    expect(await read(sale)).toMatchObject({ state: decided, laptopWithBuyer: true });
    await passDays(15);
    expect(await read(sale)).toMatchObject({ state: later, laptopWithBuyer: true });
  },
);

test('a return that was known to turn back before the order knew of it does not count as returned', async () => {
  const sale = await sellAndReturn({ card: DISPUTED_CARD });
  await buy(sale, 'back');
  const decide = await disputeSales(labelShop.shop);
  await report(sale, 'return_to_sender', 'back');
  await decide(sale, 'winning_evidence');
  const [label] = (await labels(sale, sale.buyer)).labels.filter(({ way }) => way === 'back');
  const parcel = { carrier: 'UPS', trackingNumber: label?.trackingNumber ?? '' };
  await sale.buyer.client.call(answerAsBuyer, {
    params: params(sale),
    body: { move: 'report_return', parcel },
  });
  expect(await read(sale)).toMatchObject({ state: 'return_reported', laptopWithBuyer: false });
  await passDays(15);
  expect(await read(sale)).toMatchObject({ state: 'contested', laptopWithBuyer: true });
  // The laptop is brought in person, and the former parcel says nothing of that.
  await passDays(30);
  await sale.buyer.client.call(answerAsBuyer, { params: params(sale), body: { move: 'report_return' } });
  await passDays(6);
  expect((await read(sale)).state).toBe('refunded');
});

test('a return that is said without its number is known by the first scan of its label', async () => {
  const sale = await sellAndReturn();
  await buy(sale, 'back');
  await sale.buyer.client.call(answerAsBuyer, { params: params(sale), body: { move: 'report_return' } });
  await report(sale, 'in_transit', 'back');
  expect(await read(sale)).toMatchObject({ state: 'return_reported', parcels: [{}, { way: 'back' }] });
  await report(sale, 'return_to_sender', 'back');
  expect(await read(sale)).toMatchObject({ state: 'contested', laptopWithBuyer: true });
});

test('a return that turns back after its price went back is told to all, and listed until it is offered again', async () => {
  const sale = await sellAndReturn();
  const label = await buy(sale, 'back');
  await report(sale, 'in_transit', 'back');
  await passDays(15);
  expect((await read(sale)).state).toBe('refunded');
  expect(await isClaimed(label)).toBe(true);
  forget();
  await report(sale, 'return_to_sender', 'back');
  expect(toldOf(sale, 'A return goes back to its buyer, who has the price')).toEqual([
    'buyer',
    'seller',
    'admin',
  ]);
  expect(await listed(sale)).toMatchObject({ state: 'arrived_late', dueAt: null });
  expect(await isClaimed(label)).toBe(false);

  // What its seller has does not turn back.
  const confirmed = await sellAndReturn();
  await buy(confirmed, 'back');
  await report(confirmed, 'in_transit', 'back');
  await answer(confirmed, { move: 'confirm_return' });
  forget();
  await report(confirmed, 'return_to_sender', 'back');
  expect(toldOf(confirmed, 'A return goes back to its buyer')).toEqual([]);
  expect(await listed(confirmed)).toBeUndefined();
});

test('both are told of a return that the carrier cannot deliver', async () => {
  const sale = await sellAndReturn();
  await buy(sale, 'back');
  await report(sale, 'in_transit', 'back');
  forget();
  await report(sale, 'failure', 'back');
  expect(toldOf(sale, 'The carrier cannot deliver the return')).toEqual(['buyer', 'seller']);
  expect((await read(sale)).state).toBe('return_reported');
});

test('after a label of the seller’s own, the buyer gets a return label once the seller has said to where', async () => {
  const sale = await sellAndReturn({ isOwnLabel: true });
  const none = { offered: null, takesReturnAddress: true, sender: null };
  expect(await labels(sale, sale.buyer)).toMatchObject(none);
  expect(await labels(sale)).toMatchObject(none);
  const save = (person: Person, changes: Partial<typeof sampleSender> = {}) =>
    person.client.call(setReturnAddress, {
      params: params(sale),
      body: { sender: { ...sampleSender, ...changes } },
    });
  const refusal = async (work: Promise<unknown>) => {
    const { code, errors } = await refusalOf(work);
    return [code, ...errors];
  };
  expect(await refusal(save(sale.seller, { region: 'PR' }))).toEqual(['invalid_input', 'sender.region']);
  expect(await refusal(save(sale.seller, { phone: '1' }))).toEqual(['invalid_input', 'sender.phone']);
  expect((await refusal(save(await labelShop.shop.seller())))[0]).toBe('not_found');
  await save(sale.seller);
  await waitForJobs();
  expect(toldOf(sale, 'The address for your return')).toEqual(['buyer']);
  // For a return without a label of the shop.
  expect(labelShop.shop.mails.findLast(({ to }) => to === sale.buyer.email)?.text).toContain(
    sampleSender.line1,
  );
  expect(await labels(sale, sale.buyer)).toMatchObject({ offered: 'back', takesReturnAddress: false });
  await buy(sale, 'back');
  expect((await labelShop.fake.shipmentOf(sale.orderId, 'back')).to_address.street1).toBe(
    sampleAddress.line1,
  );
  // A label would lead to the former address.
  expect((await refusal(save(sale.seller)))[0]).toBe('label_refused');
  await report(sale, 'in_transit', 'back');
  expect((await refusal(save(sale.seller)))[0]).toBe('order_moved');
});

test('a return label leads to the address of its own order, not to the one that the seller used last', async () => {
  const sale = await sellAndReturn({ isOwnLabel: true });
  const save = (line1: string) =>
    sale.seller.client.call(setReturnAddress, {
      params: params(sale),
      body: { sender: { ...sampleSender, line1 } },
    });
  const other = await sell({ seller: sale.seller });
  await quote(other, { line1: '100 Market St' });
  // It is only proposed to the seller.
  expect(await labels(sale)).toMatchObject({ sender: { line1: '100 Market St' } });
  expect(await labels(sale, sale.buyer)).toMatchObject({ offered: null, takesReturnAddress: true });
  expect(await refusalOf(quote(sale, {}, 'back'))).toMatchObject({
    code: 'label_refused',
    detail: expect.stringContaining('does not know to which address the laptop returns'),
  });
  await save('200 Market St');
  await quote(other, { line1: '300 Market St' });
  await buy(sale, 'back');
  // EasyPost names the addresses of a return as those of the way out.
  expect((await labelShop.fake.shipmentOf(sale.orderId, 'back')).from_address.street1).toBe('200 Market St');
  // Neither is another order's address taken for a parcel to a buyer.
  const third = await sell({ seller: sale.seller });
  const unaddressed = sale.seller.client.call(quoteLabel, { params: params(third), body: {} });
  expect(await refusalOf(unaddressed)).toMatchObject({
    code: 'label_refused',
    detail: expect.stringContaining('please enter your address on the order'),
  });
});

test('a seller who never says to where the laptop returns does not get its price', async () => {
  const sale = await sellAndReturn({ isOwnLabel: true });
  const mailTo = ({ email }: Person) => labelShop.shop.mails.findLast(({ to }) => to === email)?.text;
  await waitForJobs();
  const kindsFor = async ({ client }: Person) =>
    (await client.call(listToDo, {}))
      .map(({ kind }) => kind)
      .filter((kind) => kind !== 'open_payout_account');
  expect(await kindsFor(sale.seller)).toEqual(['give_return_address']);
  expect(await kindsFor(sale.buyer)).toEqual([]);
  expect((await read(sale)).news).toBe('no_return_address');
  expect(mailTo(sale.buyer)).toContain('the whole price goes back to your card');
  expect(mailTo(sale.seller)).toContain('Without an address there, the buyer gets the whole price back');
  await passDays(13);
  expect(mailTo(sale.seller)).toContain('Please enter on the order to which address the laptop returns.');
  await passDays(15);
  expect((await read(sale)).state).toBe('refunded');
  expect(mailTo(sale.seller)).toContain('You have not said to which address the laptop returns.');

  // With the address, the buyer has the whole time, and bears the silence.
  const addressed = await sellAndReturn({ isOwnLabel: true });
  await labelShop.shop.connection.pool.query(
    `update orders set due_at = now() + interval '1 hour' where id = $1`,
    [addressed.orderId],
  );
  await addressed.seller.client.call(setReturnAddress, {
    params: params(addressed),
    body: { sender: sampleSender },
  });
  expect(await kindsFor(addressed.seller)).toEqual([]);
  expect(await kindsFor(addressed.buyer)).toEqual(['return_laptop']);
  expect((await read(addressed)).news).toBeUndefined();
  await passDays(13);
  expect((await read(addressed)).state).toBe('awaiting_return');
  await passDays(15);
  expect((await read(addressed)).state).toBe('released');
});

test('who agreed to meet for the return loses nothing before, with an address or without', async () => {
  for (const isAddressed of [true, false]) {
    const sale = await sellAndReturn({ isOwnLabel: true });
    if (isAddressed) {
      const body = { sender: sampleSender };
      await sale.seller.client.call(setReturnAddress, { params: params(sale), body });
    }
    const { insertedId } = await sale.buyer.client.call(openConversation, {
      body: { bookingId: sale.bookingId },
    });
    const talk = { params: { _id: insertedId } };
    const startsAt = new Date(Date.now() + 20 * DAY_MS).toISOString();
    const proposal = { ...talk, body: { place: 'Café', startsAt } };
    const { insertedId: meeting } = await sale.buyer.client.call(proposeMeeting, proposal);
    await sale.seller.client.call(answerMeeting, { ...talk, body: { meeting, answer: 'agree' } });
    await passDays(16);
    expect((await read(sale)).state).toBe('awaiting_return');
    await passDays(28);
    expect((await read(sale)).state).toBe(isAddressed ? 'released' : 'refunded');
  }
});

test('a parcel at a pickup point is told to its buyer, and is not lost while it waits there', async () => {
  const sale = await sell();
  await buy(sale);
  await report(sale, 'in_transit');
  forget();
  await report(sale, 'available_for_pickup');
  expect(toldOf(sale, 'Your parcel waits at a pickup point')).toEqual(['buyer']);
  forget();
  for (const days of [12, 15, 16]) await passDays(days);
  expect((await read(sale)).state).toBe('shipped');
  // Nobody has to do anything else meanwhile.
  expect(
    labelShop.shop.mails.filter(({ to }) => to === sale.buyer.email || to === sale.seller.email),
  ).toEqual([]);
  // Whatever the carrier says or omits, the wait ends.
  await passDays(28);
  await passDays(28.1);
  expect(toldOf(sale, 'Where is the parcel')).toEqual(['buyer', 'seller']);
  await passDays(31.5);
  expect((await read(sale)).state).toBe('refunded');
});

test('a parcel that came to a pickup point during a complaint is told to its buyer afterwards, once', async () => {
  const sale = await sell();
  await buy(sale);
  await report(sale, 'in_transit');
  await complainAbout(sale, 'not_arrived');
  forget();
  await report(sale, 'available_for_pickup');
  expect(toldOf(sale, 'Your parcel waits')).toEqual([]);
  await sale.buyer.client.call(answerAsBuyer, { params: params(sale), body: { move: 'withdraw' } });
  await waitForJobs();
  await passDays(12);
  expect(toldOf(sale, 'Your parcel waits')).toEqual(['buyer']);
  forget();
  for (const days of [15, 16]) await passDays(days);
  expect([...toldOf(sale, 'Your parcel waits'), ...toldOf(sale, 'Where is the parcel')]).toEqual([]);
});

test('a label that costs nothing before its first scan is given back without a charge, and is used until then', async () => {
  const sale = await sell();
  const unused = await buy(sale);
  await sale.seller.client.call(voidLabel, { params: { _id: unused } });
  await waitForJobs();
  await report(sale, 'not_applicable');
  expect((await labels(sale)).labels).toMatchObject([{ state: 'voiding' }]);
  const age = (id: string) =>
    labelShop.shop.connection.pool.query(
      `update labels set bought_at = now() - interval '31 days' where id = $1`,
      [id],
    );
  await age(unused);
  await passDays(1);
  expect((await labels(sale)).labels).toMatchObject([{ state: 'voided' }]);
  expect(await ledgerOf(sale, 'carrier_payable')).toBe(0);

  // It was on the parcel nevertheless: the carrier bills it.
  const used = await sell();
  await used.seller.client.call(voidLabel, { params: { _id: await buy(used) } });
  await waitForJobs();
  await report(used, 'not_applicable');
  await report(used, 'in_transit');
  expect((await labels(used)).labels).toMatchObject([{ state: 'used' }]);
  expect((await read(used)).state).toBe('shipped');
  expect(await ledgerOf(used, 'carrier_payable')).toBe(-1_648);
});

test('a label that the carrier did not take back is followed: the parcel can be under way with it', async () => {
  const sale = await sell();
  await sale.seller.client.call(voidLabel, { params: { _id: await buy(sale) } });
  await waitForJobs();
  await report(sale, 'rejected');
  expect((await labels(sale)).labels).toMatchObject([{ state: 'kept' }]);
  await report(sale, 'in_transit');
  expect(await read(sale)).toMatchObject({ state: 'shipped', parcels: [{ way: 'out' }] });
  await report(sale, 'delivered');
  expect((await read(sale)).state).toBe('delivered');
  await passDays(15);
  expect(await ledgerOf(sale, 'label_advances')).toBe(0);
  expect(await ledgerOf(sale, 'carrier_payable')).toBe(-1_648);
});

const correct = (sale: Sale, line1: string) =>
  sale.buyer.client.call(changeAddress, { params: params(sale), body: { ...sampleAddress, line1 } });
const misdirected = 'A parcel goes to a former address';
const everybody = ['buyer', 'seller', 'admin'];

/** Sells a laptop and prints its label before the buyer corrects the address. */
async function sellMisdirected(): Promise<Sale> {
  const sale = await sell();
  await print(sale.seller, await buy(sale));
  await correct(sale, '1300 NE Broadway');
  await waitForJobs();
  forget();
  return sale;
}

test('a parcel to an address before the buyer’s correction is told to all, once, and its delivery pays nobody', async () => {
  const sale = await sellMisdirected();
  await report(sale, 'in_transit');
  expect(toldOf(sale, misdirected)).toEqual(everybody);
  const withAddress = labelShop.shop.mails.filter(({ text }) => text.includes(sampleAddress.line1));
  expect(withAddress.map(({ to }) => to).toSorted()).toEqual(
    [sale.buyer.email, labelShop.admin.email].toSorted(),
  );
  forget();
  await report(sale, 'delivered');
  expect(toldOf(sale, misdirected)).toEqual([]);
  const formerAddress = expect.stringContaining(sampleAddress.line1);
  const shipTo = { address: { line1: '1300 NE Broadway' } };
  expect(await read(sale)).toMatchObject({ state: 'shipped', shipTo, parcels: [{ formerAddress }] });
  expect(await read(sale, labelShop.admin)).toMatchObject({ parcels: [{ formerAddress }] });
  expect(await read(sale, sale.seller)).toMatchObject({ parcels: [{ formerAddress: '' }] });
  const proof = { move: 'prove_delivery' as const, text: 'The carrier says so.' };
  const proved = sale.seller.client.call(reportParcel, { params: params(sale), body: proof });
  expect((await refusalOf(proved)).code).toBe('order_moved');
  await passDays(15);
  expect(await read(sale)).toMatchObject({ state: 'shipped' });
});

test('a parcel to a former address that its buyer misses waits for an admin', async () => {
  const sale = await sellMisdirected();
  await report(sale, 'delivered');
  expect(toldOf(sale, misdirected)).toEqual(everybody);
  await complainAbout(sale, 'not_arrived');
  await passDays(6);
  expect((await read(sale)).state).toBe('contested');
});

test('a parcel to a former address has arrived when its buyer or an admin says so', async () => {
  const received = await sellMisdirected();
  await report(received, 'delivered');
  await received.buyer.client.call(receiveParcel, { params: params(received) });
  expect((await read(received)).state).toBe('delivered');
  const decided = await sellMisdirected();
  await report(decided, 'delivered');
  await labelShop.admin.client.call(decideDelivered, {
    params: params(decided),
    body: { text: 'The buyer lives there.' },
  });
  expect((await read(decided)).state).toBe('delivered');
});

test('a parcel to a former address is told also when the price of its label is back, and its order is not sent', async () => {
  const sale = await sellMisdirected();
  await report(sale, 'refunded');
  expect((await labels(sale)).labels).toMatchObject([{ state: 'voided' }]);
  await report(sale, 'in_transit');
  await report(sale, 'delivered');
  expect(toldOf(sale, misdirected)).toEqual(everybody);
  expect((await read(sale)).state).toBe('to_ship');
});

test('a label leads to the present address again after a correction that is taken back', async () => {
  const sale = await sellMisdirected();
  await correct(sale, sampleAddress.line1);
  await waitForJobs();
  await report(sale, 'delivered');
  expect(toldOf(sale, misdirected)).toEqual([]);
  expect(await read(sale)).toMatchObject({ state: 'delivered' });
});

test('a former address is exported to its buyer only, and erased with the address of the order', async () => {
  const sale = await sellMisdirected();
  await report(sale, 'delivered');
  const exported = async ({ client }: Person) => JSON.stringify(await client.call(readOwnData, {}));
  expect(await exported(sale.buyer)).toContain(sampleAddress.line1);
  expect(await exported(sale.seller)).not.toContain(sampleAddress.line1);
  const { price } = await read(sale);
  const all = { from: 'seller', amount: price, text: 'It is lost.' } as const;
  await labelShop.admin.client.call(refundOrder, { params: params(sale), body: all });
  await waitForJobs();
  await labelShop.shop.connection.pool.query(
    `update shipping_addresses set stored_at = now() - interval '400 days' where booking_id = $1`,
    [sale.bookingId],
  );
  await passDays(0);
  expect(await exported(sale.buyer)).not.toContain(sampleAddress.line1);
  expect(await read(sale)).not.toHaveProperty('parcels.0.formerAddress');
});

test('no deadline gives the price of a parcel back that its carrier reports as delivered', async () => {
  const sale = await sell();
  await buy(sale);
  await report(sale, 'delivered');
  await complainAbout(sale, 'not_arrived');
  forget();
  await passDays(6);
  expect((await read(sale)).state).toBe('contested');
  expect((await read(sale)).timeline.at(-1)).toMatchObject({ event: 'contest_late', by: 'deadline' });
  expect(toldOf(sale, 'A complaint about')).toEqual(['admin']);
  for (const days of [15, 30]) {
    forget();
    await passDays(days);
    await passDays(days + 1.5);
    expect((await read(sale)).state).toBe('contested');
    expect(toldOf(sale, 'Your answer about')).toEqual(['admin']);
  }
  // Without such a report it goes back, as before.
  const lost = await sell();
  await buy(lost);
  await report(lost, 'in_transit');
  await complainAbout(lost, 'not_arrived');
  await sale.buyer.client.call(answerAsBuyer, { params: params(sale), body: { move: 'withdraw' } });
  await passDays(6);
  expect((await read(lost)).state).toBe('refunded');
});

test('claims and late parcels are counted for admins and in the metrics as in their lists, until the parcel is found', async () => {
  const readers = [labelShop.admin, await labelShop.shop.admin('complaints')];
  const counted = async () => {
    const metrics = await scrapeMetrics(labelShop.shop.connection);
    const claims = metrics['coomercio_labels{state="claim"}'] ?? Number.NaN;
    const late = ['to_ship', 'shipped', 'arrived_late'].reduce(
      (sum, state) => sum + (metrics[`coomercio_parcels_late{state="${state}"}`] ?? Number.NaN),
      0,
    );
    expect(late).toBe((await lateParcels()).length);
    for (const { client } of readers) {
      const waiting = await client.call(listToDo, {});
      const waits = (wanted: string) => waiting.find(({ kind }) => kind === wanted)?.count ?? 0;
      expect([waits('record_claim_payment'), waits('late_parcel')]).toEqual([claims, late]);
    }
    return { claims, late };
  };
  const { claims, late } = await counted();
  const sale = await sell();
  await buy(sale);
  await report(sale, 'in_transit');
  await report(sale, 'failure');
  await labelShop.shop.connection.pool.query(
    `update orders set due_at = now() + interval '1 day' where id = $1`,
    [sale.orderId],
  );
  expect(await counted()).toEqual({ claims: claims + 1, late: late + 1 });
  const waitsForOthers = await (await labelShop.shop.admin('settings', 'money')).client.call(listToDo, {});
  expect(waitsForOthers.map(({ kind }) => kind)).not.toContain('late_parcel');
  await sale.buyer.client.call(receiveParcel, { params: params(sale) });
  expect(await counted()).toEqual({ claims, late });
});

test('a trouble that has ended is told to nobody', async () => {
  /** Tells people late. @returns who has got that email */
  async function tellLate(sale: Sale, trouble: ParcelTrouble, subject: string) {
    forget();
    await labelShop.shop.connection.database
      .transaction()
      .execute((transaction) =>
        labelShop.shop.enqueue(transaction, parcelInTrouble, { orderId: sale.orderId, trouble }),
      );
    await waitForJobs();
    return toldOf(sale, subject);
  }
  const fetched = await sell();
  await buy(fetched);
  await report(fetched, 'available_for_pickup');
  const waits = ['available_for_pickup', 'Your parcel waits at a pickup point'] as const;
  expect(await tellLate(fetched, ...waits)).toEqual(['buyer']);
  await report(fetched, 'delivered');
  expect(await tellLate(fetched, ...waits)).toEqual([]);

  const sentAgain = await sell();
  await buy(sentAgain);
  await report(sentAgain, 'return_to_sender');
  const returns = ['return_to_sender', 'The carrier returns the parcel'] as const;
  expect(await tellLate(sentAgain, ...returns)).toEqual(['buyer', 'seller']);
  await sentAgain.seller.client.call(reportParcel, {
    params: params(sentAgain),
    body: { move: 'send_again', text: 'It came back.' },
  });
  await buy(sentAgain);
  await report(sentAgain, 'in_transit');
  expect(await tellLate(sentAgain, ...returns)).toEqual([]);

  const returning = await sellAndReturn();
  const address = ['return_address', 'The address for your return'] as const;
  expect(await tellLate(returning, ...address)).toEqual(['buyer']);
  await buy(returning, 'back');
  await report(returning, 'failure', 'back');
  expect(await tellLate(returning, ...address)).toEqual([]);
  const lost = ['return_failure', 'The carrier cannot deliver the return'] as const;
  expect(await tellLate(returning, ...lost)).toEqual(['buyer', 'seller']);
  await report(returning, 'delivered', 'back');
  expect(await tellLate(returning, ...lost)).toEqual([]);
});
