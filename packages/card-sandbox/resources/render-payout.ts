import type Stripe from 'stripe';
import type { Payout } from '../storage/records.ts';
import { failureMessage } from './bank-accounts.ts';
import { movementId } from './movements.ts';

/** Renders a payout in Stripe's format. */
export function renderPayout(payout: Payout): Stripe.Payout {
  const { failureCode } = payout;
  return {
    id: payout.id,
    object: 'payout',
    amount: payout.amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: payout.created,
    automatic: payout.automatic,
    balance_transaction: movementId(payout.id),
    created: payout.created,
    currency: payout.currency,
    description: 'STRIPE PAYOUT',
    // Another bank account is another object.
    destination: `${payout.account?.replace('acct_', 'ba_') ?? 'ba_platform'}${payout.bankAccount}`,
    failure_balance_transaction: failureCode === null ? null : movementId(payout.id, 'failed_'),
    failure_code: failureCode,
    failure_message: failureCode === null ? null : failureMessage(failureCode),
    livemode: false,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: payout.status === 'pending' ? 'in_progress' : 'completed',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: payout.status,
    trace_id: { status: 'pending', value: null },
    type: 'bank_account',
  };
}
