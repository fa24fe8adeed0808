import type Stripe from 'stripe';
import { z } from 'zod';
import { newId } from '../identifiers.ts';
import type { Partly } from '../storage/record.ts';
import type { Movement } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { putMovement } from './movements.ts';

/**
 * The kinds of movements of the platform's balance that no request causes, with Stripe's type and reporting category.
 * Source: https://docs.stripe.com/reports/reporting-categories
 */
const kinds = {
  topup: { type: 'topup', reportingCategory: 'topup', description: 'STRIPE TOPUP' },
  reserve: {
    type: 'reserved_funds',
    reportingCategory: 'connect_reserved_funds',
    description: 'Connect reserved funds',
  },
  stripe_fee: { type: 'stripe_fee', reportingCategory: 'fee', description: 'Stripe fee' },
  adjustment: { type: 'adjustment', reportingCategory: 'other_adjustment', description: 'Adjustment' },
} as const;

/** The body of `POST /sandbox/movements`. */
export const movementSchema = z.strictObject({
  kind: z.enum(['topup', 'reserve', 'stripe_fee', 'adjustment']),
  /** In cents of the settlement currency; negative when it leaves the balance, as a fee and a new reserve do. */
  amount: z.int(),
  description: z.string().optional(),
});

/** Moves the platform's available balance as Stripe or an operator does. Call it only inside the store's `run`. @returns the id */
export function moveBalance(store: Store, given: z.output<typeof movementSchema>): string {
  const source = given.kind === 'topup' ? newId('tu') : null;
  const id = newId('txn');
  const { type, reportingCategory, description } = kinds[given.kind];
  const { amount } = given;
  putMovement(store, {
    id,
    amount,
    type,
    reportingCategory,
    source,
    description: given.description ?? description,
  });
  return id;
}

/** Renders the top-up that a movement comes from, in Stripe's format. */
export function renderTopup(movement: Movement): Partly<Stripe.Topup> {
  return {
    id: movement.source ?? '',
    object: 'topup',
    amount: movement.amount,
    balance_transaction: movement.id,
    created: movement.created,
    currency: movement.currency,
    description: movement.description,
    expected_availability_date: movement.availableOn,
    initiated_by: 'user',
    livemode: false,
    metadata: {},
    status: 'succeeded',
  };
}
