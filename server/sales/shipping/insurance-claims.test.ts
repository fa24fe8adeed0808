// The insurance of parcels that are lost, damaged, or found again.

import { expect, test } from 'vitest';
import { listOwnSales, readOwnMoney } from '#contract/money/payouts.ts';
import { recordSettlement } from '#contract/money/settlements.ts';
import { readHealth } from '#contract/operations/health.ts';
import { deleteOwnAccount } from '#contract/operations/privacy.ts';
import { answerAsBuyer, answerAsSeller, decideComplaint } from '#contract/sales/complaints.ts';
import { listClaims } from '#contract/sales/labels.ts';
import { reportParcel, shipParcel } from '#contract/sales/shipping.ts';
import { DISPUTED_CARD, disputeSales, hearCards } from '#tests/harness/sales/disputed-sale.ts';
import { refusalOf, setUpLabelShop } from '#tests/harness/sales/label-shop.ts';
import type { Sale } from '#tests/harness/sales/sold-laptop.ts';

const labelShop = setUpLabelShop();
const {
  sell,
  params,
  read,
  labels,
  buy,
  returnWithLabel,
  claimOf,
  settleTo,
  sendAgain,
  shipmentOf,
  report,
  passDays,
  ledgerOf,
  waitForJobs,
  complainAbout,
  accept,
} = labelShop;

const answerOf = (
  sale: Sale,
  body: { move: 'offer' | 'contest' | 'accept' | 'confirm_return'; amount?: number; isDamaged?: boolean },
) =>
  sale.seller.client.call(answerAsSeller, {
    params: params(sale),
    body: { text: 'It was whole.', photos: [], ...body },
  });
const decideOf = async (sale: Sale, move: 'decide_refund' | 'decide_release') => {
  await answerOf(sale, { move: 'contest' });
  await labelShop.admin.client.call(decideComplaint, {
    params: params(sale),
    body: { move, text: 'By the photos.' },
  });
};

test('a lost parcel is refunded, its claim is on the desk, and what the insurance pays is the seller’s', async () => {
  const sale = await sell();
  const _id = await buy(sale);
  await report(sale, 'in_transit');
  await passDays(15);
  expect((await read(sale, sale.buyer)).state).toBe('refunded');
  // The seller bears the label.
  expect(await ledgerOf(sale, 'payable')).toBe(1_648);
  expect(await labelShop.admin.client.call(listClaims, {})).toContainEqual(
    expect.objectContaining({ _id, insured: 549.99, carrier: 'UPS' }),
  );
  const { checks } = await labelShop.admin.client.call(readHealth, {});
  expect(checks.find(({ subject }) => subject === 'carriers')).toMatchObject({
    state: 'look',
    finding: expect.stringContaining('lost'),
  });
  expect(await refusalOf(settleTo(_id, 600))).toMatchObject({
    code: 'invalid_input',
    errors: ['paid'],
    detail: 'An insurance pays from 0 to $549.99. Nothing was recorded.',
  });
  await settleTo(_id, 549.99);
  expect(await refusalOf(settleTo(_id, 549.99))).toMatchObject({ code: 'not_found' });
  expect((await sale.seller.client.call(readOwnMoney, {})).due).toBe(533.51);
  await waitForJobs();
});

test.each([
  ['arrives', (sale: Sale) => report(sale, 'delivered'), 100],
  [
    'came back to its seller',
    (sale: Sale) =>
      sale.seller.client.call(reportParcel, {
        params: params(sale),
        body: { move: 'take_back', text: 'It came back.' },
      }),
    0,
  ],
  ['came back and is sent again', sendAgain, 0],
])(
  'a parcel that %s after the insurance paid is listed until what it leaves is recorded',
  async (_title, find, left) => {
    const sale = await sell();
    const _id = await buy(sale);
    await report(sale, 'in_transit');
    await report(sale, 'failure');
    expect(await claimOf(_id)).toMatchObject({ paid: 0 });
    await settleTo(_id, 549.99);
    expect(await claimOf(_id)).toBeUndefined();
    expect(await refusalOf(settleTo(_id, 0))).toMatchObject({ code: 'not_found' });
    // Nobody has complained: it waits for the end of the sale.
    const money = await sale.seller.client.call(readOwnMoney, {});
    expect([money.due, money.unfinished, money.stopped]).toEqual([0, 549.99, undefined]);
    // Of the price and the insurance, the seller keeps one.
    const shown = async () => {
      const [sold] = await sale.seller.client.call(listOwnSales, { query: {} });
      const [parcel] = (await read(sale, sale.seller)).parcels;
      return [sold?.insurance, Number(sold?.proceeds) < 549.99, parcel?.insurance?.returnable];
    };
    expect(await shown()).toEqual([0, true, 'if_found']);
    const before = await ledgerOf(sale, 'payable');
    await find(sale);
    expect(await shown()).toEqual([0, true, 'found']);
    const charged = (await ledgerOf(sale, 'payable')) - before;
    expect(await claimOf(_id)).toMatchObject({ paid: 549.99 });
    const { checks } = await labelShop.admin.client.call(readHealth, {});
    expect(checks.find(({ subject }) => subject === 'carriers')).toMatchObject({ state: 'look' });
    // The page of another admin is older, and asks for what the insurance pays.
    expect(await refusalOf(settleTo(_id, 0))).toMatchObject({
      code: 'changed_elsewhere',
      detail: expect.stringContaining('Nothing was recorded now; please look at the claim again'),
    });
    expect(await claimOf(_id)).toMatchObject({ paid: 549.99 });
    expect(await refusalOf(settleTo(_id, 550, 549.99))).toMatchObject({
      errors: ['paid'],
      detail: 'Of what it paid, an insurance leaves from 0 to $549.99. Nothing was recorded.',
    });
    await settleTo(_id, left, 549.99);
    expect(await ledgerOf(sale, 'payable')).toBe(charged - left * 100);
    expect(await ledgerOf(sale, 'carrier_payable')).toBe(left * 100 - 1_648);
    // Once.
    await report(sale, 'delivered');
    expect(await claimOf(_id)).toBeUndefined();
    expect(await refusalOf(settleTo(_id, 0))).toMatchObject({ code: 'not_found' });
  },
);

test('the insurance of a lost return is claimed, until its seller has the laptop', async () => {
  const lost = await sell();
  const id = await returnWithLabel(lost);
  expect(await claimOf(id)).toBeUndefined();
  await report(lost, 'failure', 'back');
  expect(await claimOf(id)).toMatchObject({ insured: 549.99 });
  await settleTo(id, 549.99);
  expect(await ledgerOf(lost, 'carrier_payable')).toBe(54_999 - 2 * 1_648);
  const answer = { params: params(lost), body: { move: 'confirm_return' as const } };
  await lost.seller.client.call(answerAsSeller, answer);
  expect(await claimOf(id)).toMatchObject({ paid: 549.99 });
  await settleTo(id, 0, 549.99);
});

test('of a return that was lost and counts as returned, nobody says that its seller has the laptop', async () => {
  const sale = await sell();
  await returnWithLabel(sale);
  await report(sale, 'failure', 'back');
  await passDays(15);
  expect((await read(sale, sale.buyer)).state).toBe('refunded');
  await waitForJobs();
  const toSeller = labelShop.shop.mails.filter(({ to }) => to === sale.seller.email);
  expect(toSeller.map(({ subject }) => subject)).not.toContain('EliteBook 840 G8 is yours again');
  expect(toSeller.find(({ subject }) => subject.startsWith('Counts as returned'))?.text).toContain(
    'When you have the laptop back, measure it on My Products',
  );
});

test('a return that its buyer reports before the first scan is one by the label: its cost is due, and its insurance is claimed', async () => {
  const sale = await sell();
  const id = await returnWithLabel(sale, { isScanned: false });
  const { trackingNumber = '' } = (await labels(sale, sale.buyer)).labels.find(({ _id }) => _id === id) ?? {};
  await sale.buyer.client.call(answerAsBuyer, {
    params: params(sale),
    body: { move: 'report_return', parcel: { carrier: 'UPS', trackingNumber } },
  });
  expect((await labels(sale, sale.buyer)).labels).toMatchObject([{ way: 'back', state: 'used' }]);
  await sale.seller.client.call(answerAsSeller, {
    params: params(sale),
    body: { move: 'deny_return', text: 'Nothing has come.' },
  });
  expect(await claimOf(id)).toMatchObject({ paid: 0 });
});

test.each([
  [
    'the bank takes the price back',
    DISPUTED_CARD,
    async (sale: Sale) => (await disputeSales(labelShop.shop))(sale, 'losing_evidence'),
  ],
  [
    'its seller gives it back after a complaint',
    undefined,
    async (sale: Sale) => {
      await complainAbout(sale, 'not_arrived');
      await accept(sale);
    },
  ],
  [
    'an operator gives it back at the card processor',
    undefined,
    (sale: Sale) => labelShop.shop.cards.stripe.refunds.create({ payment_intent: sale.transactionId }),
  ],
])(
  'the insurance of a parcel under way is claimed when %s, until the parcel arrives',
  async (_title, card, end) => {
    const sale = await sell(card === undefined ? {} : { card });
    const _id = await buy(sale);
    await report(sale, 'in_transit');
    expect(await claimOf(_id)).toBeUndefined();
    await end(sale);
    await hearCards(labelShop.shop);
    expect(['refunded', 'charged_back']).toContain((await read(sale, sale.buyer)).state);
    expect(await claimOf(_id)).toMatchObject({ paid: 0, insured: 549.99 });
    await report(sale, 'delivered');
    expect(await claimOf(_id)).toBeUndefined();
  },
);

test('the insurance of a return under way is claimed when an admin gives the price back before it arrives', async () => {
  const sale = await sell();
  const id = await returnWithLabel(sale);
  await labelShop.admin.client.call(decideComplaint, {
    params: params(sale),
    body: { move: 'decide_refund', text: 'The buyer has waited for long.' },
  });
  await waitForJobs();
  const [out] = (await labels(sale)).labels;
  expect(await claimOf(out?._id ?? '')).toBeUndefined();
  expect(await claimOf(id)).toMatchObject({ paid: 0 });
  await report(sale, 'delivered', 'back');
  expect(await claimOf(id)).toBeUndefined();
});

test('a laptop that is sent again after a failure is insured once: what came back is not lost', async () => {
  const sale = await sell();
  const first = await buy(sale);
  const { id } = await shipmentOf(sale);
  await report(sale, 'in_transit');
  await report(sale, 'failure');
  const shown = async () => (await read(sale, sale.seller)).parcels.map(({ insurance }) => insurance);
  expect(await claimOf(first)).toMatchObject({ paid: 0 });
  expect(await shown()).toEqual([{ isAsked: true, paid: 0 }]);
  await sendAgain(sale);
  expect(await claimOf(first)).toBeUndefined();
  expect(await shown()).toEqual([undefined]);
  const second = await buy(sale);
  await report(sale, 'in_transit');
  await report(sale, 'failure');
  await labelShop.fake.report(id, 'failure');
  await waitForJobs();
  await passDays(15);
  expect((await read(sale, sale.buyer)).state).toBe('refunded');
  expect(await claimOf(first)).toBeUndefined();
  expect(await claimOf(second)).toMatchObject({ paid: 0 });
  expect(await shown()).toEqual([undefined, { isAsked: true, paid: 0 }]);
});

test('a parcel with a number of the seller’s own, which nobody insured, is not claimed', async () => {
  const own = await sell();
  const _id = await buy(own);
  await report(own, 'in_transit');
  await report(own, 'available_for_pickup');
  // Nobody fetched it, and no report says that it comes back.
  await labelShop.shop.connection.pool.query(
    `update labels set tracked_at = now() - interval '8 days' where id = $1`,
    [_id],
  );
  await sendAgain(own);
  await own.seller.client.call(shipParcel, {
    params: params(own),
    body: { carrier: 'UPS', trackingNumber: '1Z 777 CC3 3333' },
  });
  await passDays(15);
  expect((await read(own, own.buyer)).state).toBe('refunded');
  expect(await claimOf(_id)).toBeUndefined();
});

test.each([
  [
    'a part of the price goes back',
    async (sale: Sale) => {
      await answerOf(sale, { move: 'offer', amount: 100 });
      const body = { move: 'take_offer', amount: 100 } as const;
      await sale.buyer.client.call(answerAsBuyer, { params: params(sale), body });
    },
  ],
  [
    'the laptop has returned',
    async (sale: Sale) => {
      await answerOf(sale, { move: 'accept' });
      await sale.buyer.client.call(answerAsBuyer, { params: params(sale), body: { move: 'report_return' } });
      await answerOf(sale, { move: 'confirm_return' });
    },
  ],
])(
  'a damaged parcel is claimed once %s, and what the insurance pays is the seller’s',
  async (_title, end) => {
    const sale = await sell();
    const _id = await buy(sale);
    await report(sale, 'in_transit');
    // It was taken for lost, and that claim becomes the other one.
    await report(sale, 'failure');
    await report(sale, 'delivered');
    await complainAbout(sale, 'damaged');
    expect(await claimOf(_id)).toBeUndefined();
    await end(sale);
    expect(await claimOf(_id)).toMatchObject({ type: 'damage', insured: 549.99, tracking: 'delivered' });
    expect((await read(sale, sale.seller)).parcels).toMatchObject([
      { insurance: { isAsked: true, paid: 0 } },
    ]);
    const before = await ledgerOf(sale, 'payable');
    await settleTo(_id, 120);
    expect((await ledgerOf(sale, 'payable')) - before).toBe(-12_000);
    expect(await claimOf(_id)).toBeUndefined();
    expect((await read(sale, sale.seller)).parcels).toMatchObject([
      { insurance: { isAsked: false, paid: 120 } },
    ]);
  },
);

test.each([
  ['is decided for the seller', 'damaged', (sale: Sale) => decideOf(sale, 'decide_release')],
  ['is about something else', 'does_not_work', (sale: Sale) => decideOf(sale, 'decide_refund')],
] as const)('no insurance is claimed when the complaint %s', async (_title, kind, end) => {
  const sale = await sell();
  const _id = await buy(sale);
  await report(sale, 'delivered');
  await complainAbout(sale, kind);
  await end(sale);
  expect(await claimOf(_id)).toBeUndefined();
});

test.each([
  ['not_as_described', 'the return', 'back'],
  ['damaged', 'the way to the buyer, which has the damage already', 'out'],
] as const)(
  'of a return that arrived damaged after the complaint %s, %s is claimed',
  async (kind, _title, way) => {
    const sale = await sell();
    await returnWithLabel(sale, { kind });
    await report(sale, 'delivered', 'back');
    const isWithout = sale.seller.client.call(answerAsSeller, {
      params: params(sale),
      body: { move: 'confirm_return', isDamaged: true },
    });
    expect(await refusalOf(isWithout)).toMatchObject({ code: 'invalid_input', errors: ['text'] });
    expect(await refusalOf(answerOf(sale, { move: 'contest', isDamaged: true }))).toMatchObject({
      errors: ['isDamaged'],
    });
    await answerOf(sale, { move: 'confirm_return', isDamaged: true });
    const claims = (await labels(sale)).labels.map(({ _id, way: of }) => [of, claimOf(_id)] as const);
    const claimed = [];
    for (const [of, claim] of claims) claimed.push(...((await claim) === undefined ? [] : [of]));
    expect(claimed).toEqual([way]);
    expect((await read(sale, sale.seller)).state).toBe('refunded');
  },
);

test('a damage that a buyer complained of before another complaint is not claimed once more of the return', async () => {
  const sale = await sell();
  const out = await buy(sale);
  await report(sale, 'delivered');
  await complainAbout(sale, 'damaged');
  await answerOf(sale, { move: 'offer', amount: 100 });
  await sale.buyer.client.call(answerAsBuyer, {
    params: params(sale),
    body: { move: 'take_offer', amount: 100 },
  });
  expect(await claimOf(out)).toMatchObject({ type: 'damage' });
  await complainAbout(sale, 'does_not_work');
  await accept(sale);
  const back = await buy(sale, 'back');
  await report(sale, 'delivered', 'back');
  await answerOf(sale, { move: 'confirm_return', isDamaged: true });
  expect(await claimOf(back)).toBeUndefined();
});

test.each([
  ['the whole price', 549.99],
  ['a part of the price', 300],
])(
  'when the insurance paid %s for a return that was lost, it pays the rest for the damage on the way out',
  async (_title, paid) => {
    const sale = await sell();
    const back = await returnWithLabel(sale, { kind: 'damaged' });
    const out = (await labels(sale)).labels.find(({ way }) => way === 'out')?._id ?? '';
    await report(sale, 'failure', 'back');
    await settleTo(back, paid);
    const deny = { move: 'deny_return', text: 'Nothing has come.' } as const;
    await sale.seller.client.call(answerAsSeller, { params: params(sale), body: deny });
    await labelShop.admin.client.call(decideComplaint, {
      params: params(sale),
      body: { move: 'decide_refund', text: 'The carrier lost it.' },
    });
    const left = Math.round((549.99 - paid) * 100) / 100;
    const { pool } = labelShop.shop.connection;
    await expect(
      pool.query(`update labels set claim = 'paid', claim_paid_cents = $2 where id = $1`, [
        out,
        left * 100 + 1,
      ]),
    ).rejects.toMatchObject({ constraint: 'insurance_pays_once' });
    if (left === 0) {
      expect(await claimOf(out)).toBeUndefined();
      expect(await refusalOf(settleTo(out, 1))).toMatchObject({ code: 'not_found' });
      const parcels = (await read(sale, sale.seller)).parcels.map(({ insurance }) => insurance);
      expect(parcels).toEqual([undefined, { isAsked: false, paid }]);
      // The return is found, and the insurance takes its payment back.
      await report(sale, 'delivered', 'back');
      await settleTo(back, 0, paid);
      expect(await claimOf(out)).toMatchObject({ type: 'damage', insured: 549.99, claimable: 549.99 });
    } else {
      expect(await claimOf(out)).toMatchObject({ type: 'damage', insured: 549.99, claimable: left });
      expect(await refusalOf(settleTo(out, left + 0.01))).toMatchObject({
        detail: 'An insurance pays from 0 to $249.99. Nothing was recorded.',
      });
      await settleTo(out, left);
      expect(await ledgerOf(sale, 'carrier_payable')).toBe(54_999 - 2 * 1_648);
    }
  },
);

test('a seller’s account is not deleted while an insurance has yet to answer', async () => {
  const sale = await sell();
  const _id = await buy(sale);
  await report(sale, 'in_transit');
  await passDays(15);
  const debt = {
    kind: 'repaid',
    sellerId: sale.seller.userId,
    amount: 16.48,
    note: 'By bank transfer.',
  } as const;
  await labelShop.admin.client.call(recordSettlement, { body: debt });
  const end = () => sale.seller.client.call(deleteOwnAccount, { query: { email: sale.seller.email } });
  await expect(end()).rejects.toMatchObject({
    code: 'money_on_its_way',
    message: expect.stringContaining('The insurance of a parcel of yours has yet to answer'),
  });
  await settleTo(_id, 549.99);
  await expect(end()).rejects.toMatchObject({ message: expect.stringContaining('owes you') });
});
