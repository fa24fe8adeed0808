import { z } from 'zod';
import { refused, requireRecord } from '../api/api-error.ts';
import type { Call, List } from '../api/endpoint.ts';
import { listPage } from '../api/lists.ts';
import { expand, metadata, paging, positiveInteger, readParameters, text } from '../api/parameters.ts';
import { newRecord } from '../identifiers.ts';
import type { Reversal } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { emit, putAndEmit } from '../webhooks/events.ts';
import { availableBalance, movementId, putMovement } from './movements.ts';
import { destinationPaymentRefund } from './render-transfer.ts';

const createParameters = z.strictObject({
  amount: positiveInteger.optional(),
  description: text.optional(),
  metadata: metadata.optional(),
  refund_application_fee: z.literal('false').optional(),
  expand,
});

/** Takes money of a transfer back. @throws {ApiError} if less is available to the account, or left of the transfer */
export function reverse(store: Store, call: Call): Reversal {
  const given = readParameters(createParameters, call.parameters);
  const transfer = requireRecord(store, 'transfer', call.id, 'id');
  const remaining = transfer.amount - transfer.amountReversed;
  const amount = given.amount ?? remaining;
  if (remaining === 0 || amount > remaining) {
    const message = `The reversal amount is greater than what remains of the transfer: ${remaining}.`;
    throw refused(message, undefined, 'amount');
  }
  if (amount > availableBalance(store, transfer.destination, transfer.currency)) {
    const message = `The account ${transfer.destination} has insufficient funds for this reversal.`;
    throw refused(message, 'balance_insufficient');
  }
  const reversal: Reversal = {
    ...newRecord('reversal', 'trr'),
    transfer: transfer.id,
    amount,
    currency: transfer.currency,
    metadata: given.metadata ?? {},
  };
  store.put(reversal);
  putMovement(store, {
    id: movementId(reversal.id),
    amount,
    currency: transfer.currency,
    type: 'transfer_refund',
    reportingCategory: 'transfer_reversal',
    source: reversal.id,
    description: given.description ?? `REFUND FOR TRANSFER (${transfer.id})`,
  });
  putMovement(store, {
    id: movementId(reversal.id, 'out_'),
    account: transfer.destination,
    amount: -amount,
    currency: transfer.currency,
    type: 'payment_refund',
    reportingCategory: 'refund',
    source: destinationPaymentRefund(reversal),
    description: null,
  });
  const reversed = { ...transfer, amountReversed: transfer.amountReversed + amount };
  putAndEmit(store, call, reversed, 'transfer.reversed');
  emit(store, call, 'transfer.updated', reversed);
  return reversal;
}

/** Lists the reversals of a transfer, newest first. */
export function listReversals(store: Store, call: Call): List {
  const query = readParameters(paging, call.parameters);
  const transfer = requireRecord(store, 'transfer', call.id, 'id');
  const records = store.all('reversal').filter((reversal) => reversal.transfer === transfer.id);
  return listPage(store, `/v1/transfers/${transfer.id}/reversals`, 'reversal', records, query);
}
