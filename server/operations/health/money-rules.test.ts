import { describe, expect, test } from 'vitest';
import { judgeBalance, judgeCommission, type LedgerFigures } from './money-rules.ts';
import type { PlatformAccount } from './platform.ts';

const ledger: LedgerFigures = {
  heldCents: 50_000,
  dueCents: 20_000,
  refundsDueCents: 10_000,
  disputedCents: 0,
  salesCents: 0,
  feesCents: 0,
};
const platform: PlatformAccount = {
  payoutInterval: 'manual',
  minimumCents: null,
  balance: { availableCents: 30_000, pendingCents: 50_000 },
  currencies: ['usd'],
};
const unanswered = { problem: 'The card processor did not answer within 2.5 s.' };
const judge = (
  changes: Partial<PlatformAccount> = {},
  books: Partial<LedgerFigures> = {},
  paysByTransfer = true,
) => judgeBalance({ ...platform, ...changes }, { ...ledger, ...books }, { paysByTransfer });

describe('the balance', () => {
  test('with manual payouts and enough money is fine, and shows both sides', () => {
    const { state, advice, figures } = judge();
    expect([state, advice]).toEqual(['fine', null]);
    expect(Object.fromEntries(figures.map(({ name, value }) => [name, value]))).toEqual({
      Available: '$300.00',
      Pending: '$500.00',
      'Held for orders': '$500.00',
      'Due to sellers': '$200.00',
      'Refunds to make': '$100.00',
      'Automatic payouts': 'manual',
    });
  });

  test.each(['daily', 'weekly', 'monthly', null])('with %s payouts says what to set', (payoutInterval) => {
    expect(judge({ payoutInterval })).toMatchObject({
      state: 'look',
      finding: expect.stringContaining('by itself'),
      advice: expect.stringMatching(/payout schedule to manual, or a minimum balance .*\(\$800\.00 now\)\.$/),
    });
  });

  test('that was swept already is broken, and says how much to add', () => {
    expect(
      judge({ payoutInterval: 'daily', balance: { availableCents: 0, pendingCents: 50_000 } }),
    ).toMatchObject({ state: 'broken', advice: expect.stringContaining('add $300.00 to the balance') });
  });

  test('with a minimum that covers everything is fine, with a smaller one not', () => {
    expect(judge({ payoutInterval: 'daily', minimumCents: 80_000 }).state).toBe('fine');
    expect(judge({ payoutInterval: 'daily', minimumCents: 79_999 }).state).toBe('look');
  });

  test('of a new shop with automatic payouts is looked at before the first sale', () => {
    const nothing = { heldCents: 0, dueCents: 0, refundsDueCents: 0 };
    const balance = { availableCents: 0, pendingCents: 0 };
    expect(judge({ payoutInterval: 'daily', balance }, nothing).state).toBe('look');
    expect(judge({ payoutInterval: 'manual', balance }, nothing).state).toBe('fine');
  });

  test('of a shop that pays sellers by hand may be paid out', () => {
    expect(judge({ payoutInterval: 'daily' }, {}, false).state).toBe('fine');
  });

  test('that lacks money says how much; what banks withdrew is not expected there', () => {
    expect(judge({}, { heldCents: 50_001 })).toMatchObject({
      state: 'look',
      finding: 'The balance is $0.01 less than what the shop holds and owes.',
    });
    expect(judge({}, { heldCents: 60_000, disputedCents: 10_000 }).state).toBe('fine');
  });

  test('in another currency is broken', () => {
    expect(judge({ balance: null, currencies: ['eur', 'gbp'] })).toMatchObject({
      state: 'broken',
      finding: expect.stringContaining('in EUR, GBP'),
      advice: expect.stringContaining('bank account in USD'),
    });
  });

  test('of a card processor that does not answer is unknown, and the ledger’s side is shown', () => {
    expect(judgeBalance(unanswered, ledger, { paysByTransfer: true })).toMatchObject({
      state: 'look',
      finding: unanswered.problem,
      figures: [{ name: 'Held for orders', value: '$500.00' }, {}, {}],
    });
    expect(judgeBalance(null, ledger, { paysByTransfer: true }).state).toBe('look');
    expect(judgeBalance(platform, unanswered, { paysByTransfer: true }).state).toBe('look');
  });
});

describe('the commission', () => {
  const none = { basisPoints: 0, fixedCents: 0 };

  test('none loses the published fee of each sale', () => {
    expect(judgeCommission(ledger, none)).toMatchObject({
      state: 'look',
      finding: expect.stringMatching(
        /at \$549\.99 the card processor takes about \$16\.25 \(about Stripe’s published rate, 2\.9 % and \$0\.30\), and the commission is \$0\.00, which leaves −\$16\.25\./,
      ),
    });
  });

  test('is compared with the shop’s own fees once there are some', () => {
    const measured = { ...ledger, salesCents: 1_000_000, feesCents: 50_000 };
    expect(judgeCommission(measured, { basisPoints: 300, fixedCents: 30 })).toMatchObject({
      state: 'look',
      finding: expect.stringContaining('about $27.50 (the average of this shop’s fees)'),
    });
    expect(judgeCommission(measured, { basisPoints: 500, fixedCents: 1 }).state).toBe('fine');
  });

  test.each([
    [{ basisPoints: 290, fixedCents: 31 }, 'fine'],
    [{ basisPoints: 290, fixedCents: 30 }, 'look'],
    [{ basisPoints: 0, fixedCents: 1_625 }, 'fine'],
    [{ basisPoints: 0, fixedCents: 1_624 }, 'look'],
  ] as const)('of %o is %s', (commission, state) => {
    expect(judgeCommission(unanswered, commission).state).toBe(state);
  });
});
