import type Stripe from 'stripe';
import type { Partly } from '../storage/record.ts';
import type { Reversal, Transfer } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { movementId } from './movements.ts';

/** Returns the id of the payment that a transfer makes to its account. */
export const destinationPayment = ({ id }: Transfer) => id.replace('tr_', 'py_');

/** Renders a transfer in Stripe's format. */
export function renderTransfer(store: Store, transfer: Transfer): Partly<Stripe.Transfer> {
  const reversals = store.all('reversal').filter((reversal) => reversal.transfer === transfer.id);
  return {
    id: transfer.id,
    object: 'transfer',
    amount: transfer.amount,
    amount_reversed: transfer.amountReversed,
    balance_transaction: movementId(transfer.id),
    created: transfer.created,
    currency: transfer.currency,
    description: transfer.description,
    destination: transfer.destination,
    destination_payment: destinationPayment(transfer),
    livemode: false,
    metadata: transfer.metadata,
    reversals: {
      object: 'list',
      data: reversals.slice(-10).reverse().map(renderReversal),
      has_more: reversals.length > 10,
      url: `/v1/transfers/${transfer.id}/reversals`,
    },
    reversed: transfer.amountReversed === transfer.amount,
    source_transaction: transfer.sourceTransaction,
    source_type: 'card',
    transfer_group: transfer.transferGroup,
  };
}

/** Returns the id of the refund that a reversal makes of the account's payment. */
export const destinationPaymentRefund = ({ id }: Reversal) => id.replace('trr_', 'pyr_');

/** Renders a reversal in Stripe's format. */
export function renderReversal(reversal: Reversal): Partly<Stripe.TransferReversal> {
  return {
    id: reversal.id,
    object: 'transfer_reversal',
    amount: reversal.amount,
    balance_transaction: movementId(reversal.id),
    created: reversal.created,
    currency: reversal.currency,
    destination_payment_refund: destinationPaymentRefund(reversal),
    metadata: reversal.metadata,
    transfer: reversal.transfer,
  };
}
