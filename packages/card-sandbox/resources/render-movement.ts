import type Stripe from 'stripe';
import { nowInSeconds } from '../identifiers.ts';
import type { Movement } from '../storage/records.ts';

/** Renders a balance transaction in Stripe's format. */
export function renderMovement(movement: Movement): Stripe.BalanceTransaction {
  const { fee, currency } = movement;
  const description = movement.reportingCategory === 'dispute' ? 'Dispute fee' : 'Stripe processing fees';
  return {
    id: movement.id,
    object: 'balance_transaction',
    amount: movement.amount,
    available_on: movement.availableOn,
    balance_type: 'payments',
    created: movement.created,
    currency,
    description: movement.description,
    exchange_rate: movement.exchangeRate,
    fee,
    fee_details:
      fee === 0 ? [] : [{ amount: fee, application: null, currency, description, type: 'stripe_fee' }],
    net: movement.amount - fee,
    reporting_category: movement.reportingCategory,
    source: movement.source,
    status: movement.availableOn <= nowInSeconds() ? 'available' : 'pending',
    type: movement.type,
  };
}
