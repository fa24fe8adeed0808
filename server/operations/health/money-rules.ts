import { type Commission, commissionOn } from '#contract/money/commission.ts';
import { defaultCurrency } from '#contract/platform/currencies.ts';
import { currency, formatCents, roundDown } from '#contract/platform/money.ts';
import { isUnanswered, type Judgement, judge, type Unanswered } from './check-result.ts';
import type { PlatformAccount } from './platform.ts';

/** What the ledger says of the money that must stay at the card processor, and of what it cost, in cents. */
export interface LedgerFigures {
  /** Of orders that are not released. */
  heldCents: number;
  /** Owed to sellers. */
  dueCents: number;
  /** Decided refunds that are not made. */
  refundsDueCents: number;
  /** What banks have withdrawn until they decide. It is a part of what is held or due. */
  disputedCents: number;
  /** All sales up to the last fee that was read, and the fees. */
  salesCents: number;
  feesCents: number;
}

/** What transfers and refunds can still take from the balance, in cents. */
const owedCents = ({ heldCents, dueCents, refundsDueCents, disputedCents }: LedgerFigures): number =>
  Math.max(0, heldCents + dueCents + refundsDueCents - disputedCents);

const ledgerFigures = (ledger: LedgerFigures | Unanswered): Record<string, string> =>
  isUnanswered(ledger)
    ? {}
    : {
        'Held for orders': formatCents(ledger.heldCents),
        'Due to sellers': formatCents(ledger.dueCents),
        'Refunds to make': formatCents(ledger.refundsDueCents),
      };

function scheduleText({ payoutInterval, minimumCents }: PlatformAccount): string {
  if (payoutInterval === null) return 'unknown';
  return minimumCents === null || payoutInterval === 'manual'
    ? payoutInterval
    : `${payoutInterval}, all but ${formatCents(minimumCents)}`;
}

/**
 * Judges the shop's balance at the card processor beside what the ledger says is held and due. Automatic payouts to the shop's bank
 * take money away that transfers and refunds need.
 * @param platform null when the card processor cannot be asked
 * @param paysByTransfer whether sellers are paid from this balance
 */
export function judgeBalance(
  platform: PlatformAccount | Unanswered | null,
  ledger: LedgerFigures | Unanswered,
  { paysByTransfer }: { paysByTransfer: boolean },
): Judgement {
  if (platform === null) return judge('look', 'It cannot be asked.', null, ledgerFigures(ledger));
  if (isUnanswered(platform)) {
    return judge(
      'look',
      platform.problem,
      'The balance and the payout schedule are unknown meanwhile. If only this fails, see whether the secret key may read balances and balance settings.',
      ledgerFigures(ledger),
    );
  }
  const { balance, currencies, payoutInterval, minimumCents } = platform;
  if (balance === null) {
    return judge(
      'broken',
      `The card processor settles this shop’s payments in ${currencies.map((name) => name.toUpperCase()).join(', ')}, and its prices are in ${currency.code}. It would take the buyers’ money and refuse every transfer to a seller.`,
      `Add a bank account in ${currency.code} at the card processor, so that it does not convert payments, or use an account that settles in ${currency.code}. Take no payments before.`,
      ledgerFigures(ledger),
    );
  }
  const figures = {
    Available: formatCents(balance.availableCents),
    Pending: formatCents(balance.pendingCents),
    ...ledgerFigures(ledger),
    'Automatic payouts': scheduleText(platform),
  };
  if (isUnanswered(ledger)) return judge('look', ledger.problem, 'See the check of the database.', figures);
  const owed = owedCents(ledger);
  const missing = owed - balance.availableCents - balance.pendingCents;
  const isSwept = paysByTransfer && payoutInterval !== 'manual' && (minimumCents ?? 0) < Math.max(owed, 1);
  if (isSwept) {
    return judge(
      missing > 0 ? 'broken' : 'look',
      `The card processor pays the balance out to the shop’s bank by itself (${scheduleText(platform)}), and with it money that transfers to sellers and refunds need.`,
      `In the card processor’s dashboard, set the payout schedule to manual, or a minimum balance that always covers what the shop holds and owes (${formatCents(owed)} now).${missing > 0 ? ` Then add ${formatCents(missing)} to the balance.` : ''}`,
      figures,
    );
  }
  if (missing > 0) {
    return judge(
      'look',
      `The balance is ${formatCents(missing)} less than what the shop holds and owes.`,
      'Transfers or refunds will be refused when it is used up. Add the amount to the balance in the card processor’s dashboard, and see on the page Shop money where it went.',
      figures,
    );
  }
  return judge('fine', 'The balance covers what the shop holds and owes.', null, figures);
}

/** Stripe's published rate for cards of the United States: 2.9 % and $0.30. Source: https://stripe.com/pricing */
const PUBLISHED_RATE = { basisPoints: 290, fixedCents: 30 };

/** The price of the example, in US cents. */
const EXAMPLE_CENTS = 54_999;

/** Judges whether the commission covers the card processor's fee, which the shop bears of each sale. */
export function judgeCommission(ledger: LedgerFigures | Unanswered, commission: Commission): Judgement {
  const magnitude = currency.mostCents / defaultCurrency.mostCents;
  const exampleCents = roundDown(EXAMPLE_CENTS * magnitude);
  const fixedCents = PUBLISHED_RATE.fixedCents * magnitude;
  const isMeasured = !isUnanswered(ledger) && ledger.salesCents > 0 && ledger.feesCents > 0;
  const feeCents = isMeasured
    ? roundDown(Math.round((exampleCents * ledger.feesCents) / ledger.salesCents))
    : roundDown(Math.round((exampleCents * PUBLISHED_RATE.basisPoints) / 10_000) + fixedCents);
  const earnedCents = commissionOn(exampleCents, commission);
  const source = isMeasured
    ? 'the average of this shop’s fees'
    : `about Stripe’s published rate, 2.9 % and ${formatCents(fixedCents)}`;
  const figures = {
    [`Commission on ${formatCents(exampleCents)}`]: formatCents(earnedCents),
    [`Fee on ${formatCents(exampleCents)}`]: formatCents(feeCents),
    'Left for the shop': formatCents(earnedCents - feeCents),
  };
  if (earnedCents >= feeCents) {
    return judge('fine', `The commission covers the card processor’s fee (${source}).`, null, figures);
  }
  return judge(
    'look',
    `The shop loses money on each sale: of a laptop at ${formatCents(exampleCents)} the card processor takes about ${formatCents(feeCents)} (${source}), and the commission is ${formatCents(earnedCents)}, which leaves ${formatCents(earnedCents - feeCents)}.`,
    `Raise the commission on /dashboard/settings so that it covers the fee, such as 3 % and ${formatCents(fixedCents)} or more. It applies to later sales.`,
    figures,
  );
}
