import { nowInSeconds } from '../identifiers.ts';
import type { Charge, Dispute, Movement, Refund } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';

/** Returns the id of the balance transaction of an object. @param prefix distinguishes a second one of the same object */
export function movementId(source: string, prefix = ''): string {
  return `txn_${prefix}${source.slice(source.indexOf('_') + 1)}`;
}

type NewMovement = Omit<Movement, 'kind' | 'created' | 'currency' | 'fee' | 'account' | 'availableOn'> &
  Partial<Pick<Movement, 'fee' | 'account' | 'availableOn' | 'created'>>;

/** Stores a balance transaction, available at once unless stated otherwise. Call it only inside the store's `run`. */
export function putMovement(store: Store, movement: NewMovement): void {
  const created = movement.created ?? nowInSeconds();
  store.put({
    kind: 'movement',
    currency: 'usd',
    fee: 0,
    account: null,
    availableOn: created,
    ...movement,
    created,
  });
}

/** A succeeded charge: its amount less the fee, available after the delay. */
export function recordCharge(store: Store, charge: Charge, created?: number): void {
  const { fees, delay } = store.terms;
  putMovement(store, {
    id: movementId(charge.id),
    ...(created !== undefined && { created }),
    amount: charge.amount,
    fee: Math.round((charge.amount * fees.basisPoints) / 10_000 + fees.fixedCents),
    type: 'charge',
    reportingCategory: 'charge',
    source: charge.id,
    description: charge.description,
    availableOn: (created ?? nowInSeconds()) + Math.ceil(delay / 1000),
  });
}

/** A refund. Stripe does not return the fee of the charge. */
export function recordRefund(store: Store, refund: Refund, created?: number): void {
  putMovement(store, {
    id: movementId(refund.id),
    ...(created !== undefined && { created }),
    amount: -refund.amount,
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
    amount: refund.amount,
    type: 'refund_failure',
    reportingCategory: 'refund_failure',
    source: refund.id,
    description: `REFUND FAILURE FOR CHARGE (${refund.charge})`,
  });
}

/** A dispute that withdraws the money, with its fee. */
export function recordWithdrawal(store: Store, dispute: Dispute, created?: number): void {
  putMovement(store, {
    id: movementId(dispute.id),
    ...(created !== undefined && { created }),
    amount: -dispute.amount,
    fee: store.terms.fees.disputeCents,
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
    amount: dispute.amount,
    type: 'adjustment',
    reportingCategory: 'dispute_reversal',
    source: dispute.id,
    description: `Chargeback reversal for ${dispute.charge}`,
  });
}

/** Adds the balance transactions that a journal of an earlier version lacks. Call it only inside the store's `run`. */
export function addMissingMovements(store: Store): void {
  const isMissing = (source: string, prefix = '') =>
    store.find('movement', movementId(source, prefix)) === undefined;
  for (const charge of store.all('charge')) {
    if (charge.decline === null && isMissing(charge.id)) recordCharge(store, charge, charge.created);
  }
  for (const refund of store.all('refund')) {
    if (isMissing(refund.id)) recordRefund(store, refund, refund.created);
    if (refund.status === 'failed' && isMissing(refund.id, 'failed_')) recordRefundFailure(store, refund);
  }
  for (const dispute of store.all('dispute')) {
    if (dispute.status.startsWith('warning_')) continue;
    if (isMissing(dispute.id)) recordWithdrawal(store, dispute, dispute.created);
    if (dispute.status === 'won' && isMissing(dispute.id, 'won_')) recordReinstatement(store, dispute);
  }
}

/** Returns the balance of an account, or of the platform, in cents. */
export function balanceOf(store: Store, account: string | null): { available: number; pending: number } {
  const now = nowInSeconds();
  const balance = { available: 0, pending: 0 };
  for (const movement of store.all('movement')) {
    if (movement.account !== account) continue;
    balance[movement.availableOn <= now ? 'available' : 'pending'] += movement.amount - movement.fee;
  }
  return balance;
}

/** Makes all money available that is pending. Call it only inside the store's `run`. */
export function makeFundsAvailable(store: Store): void {
  const now = nowInSeconds();
  for (const movement of store.all('movement')) {
    if (movement.availableOn > now) store.put({ ...movement, availableOn: now });
  }
}
