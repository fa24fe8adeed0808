import { describe, expect, test } from 'vitest';
import * as rules from './rules.ts';

const order: rules.LedgerOrder = {
  id: 'order',
  sellerId: 'seller',
  priceCents: 54_999,
  commissionCents: 2_799,
  refundedCents: 0,
  isReleased: false,
};
const released = { ...order, isReleased: true };

/** The balance of each account after these postings, in cents. */
function balances(...postings: rules.Posting[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { entries } of postings) {
    for (const { account, amountCents } of entries) sums[account] = (sums[account] ?? 0) + amountCents;
  }
  return Object.fromEntries(Object.entries(sums).filter(([, cents]) => cents !== 0));
}

/** The carrier and its insurance asked for 80 more than the seller agreed to: the shop bears that. */
const label: rules.LedgerLabel = {
  ...{ id: 'label', orderId: 'order', costCents: 1_070, premiumCents: 310, chargedCents: 1_300 },
};
const shopLabel = { ...label, chargedCents: 0 };

const payout = { sellerId: 'seller', orderId: 'order', amountCents: 52_200 };

const allPostings: rules.Posting[] = [
  rules.salePosting(order, 'pi_1'),
  rules.paymentWithoutSalePosting('pi_2', 100),
  rules.releasePosting(order),
  rules.refundDecidedPosting(order, 1_001),
  rules.refundDecidedPosting(released, 1_001),
  rules.refundMadePosting('refund-1', 100),
  rules.refundReturnedPosting('refund-1', 100),
  rules.refundPaidByHandPosting('refund', 100),
  rules.processorFeePosting('txn_1', 190),
  rules.bankPayoutPosting('txn_2', 1_000),
  rules.transferPosting('tr_1', payout),
  rules.transferReversedPosting('trr_1', payout),
  rules.settledByHandPosting('settlement', payout),
  rules.topUpPosting('txn_3', 1_000),
  rules.reservePosting('txn_4', 1_000),
  rules.unknownMovementPosting('txn_5', 1_000),
  rules.explanationPosting('txn_5', 1_000, 'processor_fees'),
  rules.repaidByHandPosting('repayment', payout),
  rules.writtenOffPosting('write-off', payout),
  rules.disputeOpenedPosting('dp_1', 54_999),
  rules.disputeWonPosting('dp_1', 54_999),
  rules.disputeLostPosting('dp_1', 54_999, order),
  rules.disputeLostPosting('dp_1', 54_999, released),
  rules.disputeLostPosting('dp_1', 54_999, released, 100),
  rules.disputeLostPosting('dp_1', 54_999, null, 54_999),
  rules.disputeLostPosting('dp_1', 54_999, null),
  rules.refundPaidByBankPosting('refund-1', 100),
  rules.disputeReinstatedPosting('dp_1', 54_999, 0),
  rules.disputeReinstatedPosting('dp_1', 54_999, 100),
  rules.labelBoughtPosting(label),
  rules.labelBoughtPosting(shopLabel),
  rules.labelInsuredPosting(label),
  rules.labelInsuredPosting(shopLabel),
  rules.labelRefundedPosting(label),
  rules.labelRefundedPosting(shopLabel),
  rules.labelChargedPosting(label, 'seller'),
  rules.insurancePaidPosting('label', payout),
  rules.insuranceReturnedPosting('label', payout),
  rules.carrierPaidPosting('invoice', 1_380),
];

test.each(allPostings)('the posting $kind balances, without empty entries', ({ entries }) => {
  expect(entries.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(0);
  expect(entries.length).toBeGreaterThan(1);
  expect(entries.every(({ amountCents }) => amountCents !== 0)).toBe(true);
});

test('each posting says what it is, what caused it, and whose money it moves', () => {
  const described = allPostings.map(({ kind, reference, entries }) => [
    `${kind} ${reference}`,
    ...entries.map((entry) => {
      const seller = 'sellerId' in entry ? ` of ${entry.sellerId}` : '';
      const forOrder = 'orderId' in entry && entry.orderId !== null ? ` for ${entry.orderId}` : '';
      return `${entry.account}${seller}${forOrder} ${entry.amountCents}`;
    }),
  ]);
  expect(described).toEqual([
    ['sale pi_1', 'processor 54999', 'held for order -54999'],
    ['payment_without_sale pi_2', 'processor 100', 'refunds_due -100'],
    [
      'release order',
      ...['held for order 54999', 'payable of seller for order -52200', 'commission for order -2799'],
    ],
    ['refund_decided order-1001', 'held for order 1001', 'refunds_due for order -1001'],
    [
      'refund_decided order-1001',
      ...['payable of seller for order 950', 'commission for order 51', 'refunds_due for order -1001'],
    ],
    ['refund_made refund-1', 'refunds_due 100', 'processor -100'],
    ['refund_returned refund-1', 'processor 100', 'refunds_due -100'],
    ['settled_by_hand refund', 'refunds_due 100', 'bank -100'],
    ['processor_fee txn_1', 'processor_fees 190', 'processor -190'],
    ['bank_payout txn_2', 'bank 1000', 'processor -1000'],
    ['transfer tr_1', 'payable of seller for order 52200', 'processor -52200'],
    ['transfer_reversed trr_1', 'processor 52200', 'payable of seller for order -52200'],
    ['settled_by_hand settlement', 'payable of seller 52200', 'bank -52200'],
    ['top_up txn_3', 'processor 1000', 'bank -1000'],
    ['reserve txn_4', 'reserved 1000', 'processor -1000'],
    ['unknown_movement txn_5', 'processor 1000', 'suspense -1000'],
    ['correction txn_5', 'suspense 1000', 'processor_fees -1000'],
    ['repaid_by_hand repayment', 'bank 52200', 'payable of seller -52200'],
    ['written_off write-off', 'written_off 52200', 'payable of seller -52200'],
    ['dispute_opened dp_1', 'disputed 54999', 'processor -54999'],
    ['dispute_won dp_1', 'processor 54999', 'disputed -54999'],
    ['dispute_lost dp_1', 'held for order 54999', 'disputed for order -54999'],
    [
      'dispute_lost dp_1',
      ...['payable of seller for order 52200', 'commission for order 2799', 'disputed for order -54999'],
    ],
    [
      'dispute_lost dp_1',
      ...['refunds_due for order 100', 'payable of seller for order 52105', 'commission for order 2794'],
      'disputed for order -54999',
    ],
    ['dispute_lost dp_1', 'refunds_due 54999', 'disputed -54999'],
    ['dispute_lost dp_1', 'lost_disputes 54999', 'disputed -54999'],
    ['dispute_lost refund-refund-1', 'refunds_due 100', 'lost_disputes -100'],
    ['dispute_reinstated dp_1', 'processor 54999', 'suspense -54999'],
    ['dispute_reinstated dp_1', 'processor 54999', 'refunds_due -100', 'suspense -54899'],
    ['label_bought label', 'label_advances for order 1070', 'carrier_payable for order -1070'],
    ['label_bought label', 'shipping for order 1070', 'carrier_payable for order -1070'],
    [
      'label_insured label',
      ...['label_advances for order 230', 'shipping for order 80', 'carrier_payable for order -310'],
    ],
    ['label_insured label', 'shipping for order 310', 'carrier_payable for order -310'],
    [
      'label_refunded label',
      ...['label_advances for order -1300', 'shipping for order -80', 'carrier_payable for order 1380'],
    ],
    ['label_refunded label', 'shipping for order -1380', 'carrier_payable for order 1380'],
    ['label_charged label', 'payable of seller for order 1300', 'label_advances for order -1300'],
    ['insurance_paid label', 'carrier_payable for order 52200', 'payable of seller for order -52200'],
    ['insurance_returned label', 'carrier_payable for order -52200', 'payable of seller for order 52200'],
    ['carrier_paid invoice', 'carrier_payable 1380', 'bank -1380'],
  ]);
});

describe('the way of the money', () => {
  test('a sale that is released and paid out leaves the commission', () => {
    expect(
      balances(
        rules.salePosting(order, 'pi_1'),
        rules.releasePosting(order),
        rules.transferPosting('tr_1', payout),
      ),
    ).toEqual({ processor: 2_799, commission: -2_799 });
  });

  test('a refund in part before the release lowers the commission in proportion', () => {
    expect(
      balances(
        rules.salePosting(order, 'pi_1'),
        rules.refundDecidedPosting(order, 27_500),
        rules.refundMadePosting('refund-1', 27_500),
        rules.releasePosting({ ...order, refundedCents: 27_500 }),
      ),
    ).toEqual({ processor: 27_499, payable: -26_100, commission: -1_399 });
  });

  test('a refund after the payout is owed by the seller, and the commission goes back', () => {
    expect(
      balances(
        rules.salePosting(order, 'pi_1'),
        rules.releasePosting(order),
        rules.transferPosting('tr_1', payout),
        rules.refundDecidedPosting(released, 54_999),
        rules.refundMadePosting('refund-1', 54_999),
      ),
    ).toEqual({ processor: -52_200, payable: 52_200 });
  });

  test('several refunds after the release give back the commission once', () => {
    const half = { ...released, refundedCents: 27_500 };
    expect(
      balances(
        rules.salePosting(order, 'pi_1'),
        rules.releasePosting(order),
        rules.refundDecidedPosting(released, 27_500),
        rules.refundDecidedPosting(half, 27_499),
      ),
    ).toEqual({ processor: 54_999, refunds_due: -54_999 });
  });

  test('a refund of the whole price gets the goodwill back that the buyer had before', () => {
    expect(rules.goodwillPosting('order', 1_000, 'refund')).toEqual({
      ...{ kind: 'goodwill', reference: 'refund' },
      entries: [
        { account: 'goodwill', amountCents: 1_000, orderId: 'order' },
        { account: 'refunds_due', amountCents: -1_000, orderId: 'order' },
      ],
    });
    expect(
      balances(
        rules.salePosting(order, 'pi_1'),
        rules.goodwillPosting('order', 1_000, 'refund'),
        rules.refundDecidedPosting(order, 54_999, 1_000),
      ),
    ).toEqual({ processor: 54_999, refunds_due: -54_999 });
  });

  test('a refund that nothing explains is in suspense until it comes back', () => {
    const [made, returned] = [
      rules.unexplainedRefundPosting('refund', 100),
      rules.unexplainedRefundReturnedPosting('refund-1', 100),
    ];
    expect([made.kind, made.reference]).toEqual(['unknown_movement', 'refund']);
    expect([returned.kind, returned.reference]).toEqual(['unknown_movement', 'refund-1']);
    expect(balances(made)).toEqual({ refunds_due: -100, suspense: 100 });
    expect(balances(made, returned)).toEqual({});
  });

  test('a dispute that is lost after a refund in part is borne by the shop for that part, and names its order', () => {
    const half = { ...order, refundedCents: 27_500 };
    expect(rules.disputeLostPosting('dp_1', 54_999, half).entries).toEqual([
      { account: 'held', amountCents: 27_499, orderId: 'order' },
      { account: 'lost_disputes', amountCents: 27_500, orderId: 'order' },
      { account: 'disputed', amountCents: -54_999, orderId: 'order' },
    ]);
  });

  test('a debt that is repaid is in the bank, and one that is given up is an expense', () => {
    const debt = [
      rules.releasePosting(order),
      rules.transferPosting('tr_1', payout),
      rules.refundDecidedPosting(released, 54_999),
    ];
    expect(balances(...debt, rules.repaidByHandPosting('repayment', payout))).toMatchObject({ bank: 52_200 });
    expect(balances(...debt, rules.repaidByHandPosting('repayment', payout))).not.toHaveProperty('payable');
    expect(balances(...debt, rules.writtenOffPosting('write-off', payout))).toMatchObject({
      written_off: 52_200,
    });
    expect(balances(...debt, rules.writtenOffPosting('write-off', payout))).not.toHaveProperty('payable');
  });

  test('an unknown movement that is explained leaves the suspense account', () => {
    expect(
      balances(
        rules.unknownMovementPosting('txn_1', 100_000),
        rules.explanationPosting('txn_1', 100_000, 'bank'),
      ),
    ).toEqual({ processor: 100_000, bank: -100_000 });
  });

  test('a dispute that is lost after a full refund is a loss of the shop', () => {
    const refunded = { ...order, refundedCents: 54_999 };
    expect(
      balances(
        rules.disputeOpenedPosting('dp_1', 54_999),
        rules.disputeLostPosting('dp_1', 54_999, refunded),
      ),
    ).toEqual({ processor: -54_999, lost_disputes: 54_999 });
  });

  test('a lost dispute settles a refund that failed because of it: nothing is due, and nothing is lost', () => {
    const refunded = { ...order, refundedCents: 54_999 };
    expect(
      balances(
        rules.salePosting(order, 'pi_1'),
        rules.refundDecidedPosting(order, 54_999),
        rules.disputeOpenedPosting('dp_1', 54_999),
        rules.disputeLostPosting('dp_1', 54_999, refunded, 54_999),
      ),
    ).toEqual({});
  });

  test('a refund that fails after the dispute was lost takes the loss back', () => {
    const refunded = { ...order, refundedCents: 54_999 };
    expect(
      balances(
        rules.salePosting(order, 'pi_1'),
        rules.refundDecidedPosting(order, 54_999),
        rules.disputeOpenedPosting('dp_1', 54_999),
        rules.disputeLostPosting('dp_1', 54_999, refunded),
        rules.refundPaidByBankPosting('refund-1', 54_999),
      ),
    ).toEqual({});
  });

  test('a label is advanced to its seller, who bears the agreed part of it; what its carrier gives back is nobody’s cost', () => {
    const purchase = [rules.labelBoughtPosting(label), rules.labelInsuredPosting(label)];
    expect(
      balances(
        ...purchase,
        rules.labelChargedPosting(label, 'seller'),
        rules.carrierPaidPosting('invoice', 1_380),
      ),
    ).toEqual({ payable: 1_300, shipping: 80, bank: -1_380 });
    expect(balances(...purchase, rules.labelRefundedPosting(label))).toEqual({});
    // Of a label without insurance, too.
    const cheap = { ...label, costCents: 1_400, premiumCents: 0 };
    expect(balances(rules.labelBoughtPosting(cheap))).toEqual({
      ...{ label_advances: 1_300, shipping: 100, carrier_payable: -1_400 },
    });
  });

  test('money of a lost dispute that comes back is nobody’s yet', () => {
    expect(
      balances(
        rules.salePosting(order, 'pi_1'),
        rules.disputeOpenedPosting('dp_1', 54_999),
        rules.disputeLostPosting('dp_1', 54_999, order),
        rules.disputeReinstatedPosting('dp_1', 54_999, 0),
      ),
    ).toEqual({ processor: 54_999, suspense: -54_999 });
  });
});
