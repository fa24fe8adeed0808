import { nowInSeconds } from '../identifiers.ts';
import type { Charge, Dispute, Movement, Refund } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { unitOf } from './currencies.ts';
import { platformOf, schedulePayout } from './platform.ts';

// Stripe's fees for US cards: https://stripe.com/pricing
const FEE_BASIS_POINTS = 290;
const FEE_CENTS = 30;
const DISPUTE_FEE_CENTS = 1_500;

/** Returns the id of the balance transaction of an object. @param prefix distinguishes a second one of the same object */
export function movementId(source: string, prefix = ''): string {
  return `txn_${prefix}${source.slice(source.indexOf('_') + 1)}`;
}

type Defaulted = 'fee' | 'account' | 'availableOn' | 'currency' | 'exchangeRate';
type NewMovement = Omit<Movement, 'kind' | 'created' | Defaulted> & Partial<Pick<Movement, Defaulted>>;

/**
 * Stores a balance transaction: of the platform, in its settlement currency, and available at once, unless stated
 * otherwise. Schedules the payout of what is paid in. Call it only inside the store's `run`.
 */
export function putMovement(store: Store, given: NewMovement): void {
  const created = nowInSeconds();
  const movement: Movement = {
    kind: 'movement',
    created,
    currency: platformOf(store).currency,
    exchangeRate: null,
    fee: 0,
    account: null,
    availableOn: created,
    ...given,
  };
  store.put(movement);
  const holder = movement.account === null ? platformOf(store) : store.find('account', movement.account);
  if (holder !== undefined && movement.amount > movement.fee) {
    schedulePayout(store, holder, movement.availableOn * 1000 + store.terms.delay);
  }
}

/** Converts an amount of a payment to the currency in which its charge is settled. */
export function convert(store: Store, charge: string, amount: number) {
  const settled = store.find('movement', movementId(charge)) ?? platformOf(store);
  const paid = store.find('charge', charge)?.currency ?? settled.currency;
  const { currency, exchangeRate } = settled;
  if (exchangeRate === null || currency === paid) return { amount, currency: paid, exchangeRate: null };
  const rate = (exchangeRate * unitOf(currency)) / unitOf(paid);
  return { amount: Math.round(amount * rate), currency, exchangeRate };
}

/** Whether the money of a charge is available. */
export function isSettled(store: Store, charge: string): boolean {
  return (store.find('movement', movementId(charge))?.availableOn ?? 0) <= nowInSeconds();
}

/** When money that is taken of a charge leaves the balance: with the charge's own if that is not available yet. */
const availableWith = (store: Store, charge: string) =>
  Math.max(nowInSeconds(), store.find('movement', movementId(charge))?.availableOn ?? 0);

/** A succeeded charge: its amount less the fee, available after the delay. */
export function recordCharge(store: Store, charge: Charge): void {
  const settlesAtOnce = store.find('paymentMethod', charge.paymentMethod)?.settlesAtOnce ?? false;
  const fee = Math.round((charge.amount * FEE_BASIS_POINTS) / 10_000 + FEE_CENTS);
  putMovement(store, {
    id: movementId(charge.id),
    ...convert(store, charge.id, charge.amount),
    fee: convert(store, charge.id, fee).amount,
    type: 'charge',
    reportingCategory: 'charge',
    source: charge.id,
    description: store.find('intent', charge.intent)?.details.description ?? null,
    availableOn: nowInSeconds() + (settlesAtOnce ? 0 : Math.ceil(store.terms.delay / 1000)),
  });
}

/** A refund, of pending money if the charge is not settled. Stripe does not return the fee of the charge. */
export function recordRefund(store: Store, refund: Refund): void {
  putMovement(store, {
    id: movementId(refund.id),
    ...convert(store, refund.charge, -refund.amount),
    availableOn: availableWith(store, refund.charge),
    type: 'refund',
    reportingCategory: 'refund',
    source: refund.id,
    description: `REFUND FOR CHARGE (${refund.charge})`,
  });
}

/** A refund that the buyer's bank returned. */
export function recordRefundFailure(store: Store, refund: Refund): void {
  putMovement(store, {
    id: movementId(refund.id, 'failed_'),
    ...convert(store, refund.charge, refund.amount),
    type: 'refund_failure',
    reportingCategory: 'refund_failure',
    source: refund.id,
    description: `REFUND FAILURE FOR CHARGE (${refund.charge})`,
  });
}

/** A dispute that withdraws the money, with its fee. */
export function recordWithdrawal(store: Store, dispute: Dispute): void {
  putMovement(store, {
    id: movementId(dispute.id),
    ...convert(store, dispute.charge, -dispute.amount),
    fee: convert(store, dispute.charge, DISPUTE_FEE_CENTS).amount,
    type: 'adjustment',
    reportingCategory: 'dispute',
    source: dispute.id,
    description: `Chargeback withdrawal for ${dispute.charge}`,
  });
}

/** A dispute that was won. Stripe does not return its fee. */
export function recordReinstatement(store: Store, dispute: Dispute): void {
  putMovement(store, {
    id: movementId(dispute.id, 'won_'),
    ...convert(store, dispute.charge, dispute.amount),
    type: 'adjustment',
    reportingCategory: 'dispute_reversal',
    source: dispute.id,
    description: `Chargeback reversal for ${dispute.charge}`,
  });
}

export type Balance = { available: number; pending: number };

/** Returns the balances of an account, or of the platform, in cents by currency. Of a platform that converts payments, the settlement currency is first. */
export function balancesOf(store: Store, account: string | null): Map<string, Balance> {
  const now = nowInSeconds();
  const { currency, exchangeRate } = platformOf(store);
  const balances = new Map<string, Balance>();
  if (exchangeRate !== null) balances.set(currency, { available: 0, pending: 0 });
  for (const movement of store.all('movement')) {
    if (movement.account !== account) continue;
    const balance = balances.get(movement.currency) ?? { available: 0, pending: 0 };
    balance[movement.availableOn <= now ? 'available' : 'pending'] += movement.amount - movement.fee;
    balances.set(movement.currency, balance);
  }
  return balances;
}

/** Returns the available balance of an account, or of the platform, in cents. */
export function availableBalance(store: Store, account: string | null, currency: string): number {
  return balancesOf(store, account).get(currency)?.available ?? 0;
}

/** Makes all money available that is pending. Call it only inside the store's `run`. */
export function makeFundsAvailable(store: Store): void {
  const now = nowInSeconds();
  for (const movement of store.all('movement')) {
    if (movement.availableOn > now) store.put({ ...movement, availableOn: now });
  }
}
