import { z } from 'zod';
import { invalidParameter, refused, requireRecord } from '../api/api-error.ts';
import type { Call, Endpoint } from '../api/endpoint.ts';
import { listEndpoint, retrieveEndpoint } from '../api/lists.ts';
import { expand, metadata, nullableText, positiveInteger, readParameters, text } from '../api/parameters.ts';
import { newRecord, nowInSeconds } from '../identifiers.ts';
import type { Account, Charge, Transfer } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { putAndEmit } from '../webhooks/events.ts';
import { formatMoney } from './currencies.ts';
import { availableBalance, convert, movementId, putMovement } from './movements.ts';
import { destinationPayment } from './render-transfer.ts';
import { listReversals, reverse } from './reversals.ts';

const createParameters = z.strictObject({
  amount: positiveInteger,
  currency: z.string(),
  destination: text,
  source_transaction: text.optional(),
  transfer_group: nullableText,
  description: nullableText,
  metadata: metadata.optional(),
  expand,
});

/** The countries to which a platform in the US can transfer. Source: https://docs.stripe.com/connect/account-capabilities */
const region: ReadonlySet<string> = new Set(
  'us ca gb ch at be bg hr cy cz dk ee fi fr de gr hu is ie it lv li lt lu mt nl no pl pt ro sk si es se'.split(
    ' ',
  ),
);

/** Returns the account that receives a transfer. @throws {ApiError} if it cannot */
function findDestination(store: Store, id: string): Account {
  const account = store.find('account', id);
  if (account === undefined || account.closed) {
    throw refused(`No such destination: '${id}'`, 'resource_missing', 'destination');
  }
  const { country } = account.identity;
  if (!region.has(country)) {
    throw refused(
      `Funds can't be sent to accounts located in ${country.toUpperCase()} because it's restricted ` +
        "outside of your platform's region.",
    );
  }
  if (account.transfers.status !== 'active') {
    throw refused(
      'Your destination account needs to have at least one of the following capabilities enabled: ' +
        'transfers, crypto_transfers, legacy_payments',
      'insufficient_capabilities_for_transfer',
    );
  }
  return account;
}

/** What can still be transferred of a charge: its amount less earlier transfers. Refunds and disputes do not reduce it. */
function remainingOf(store: Store, charge: Charge): number {
  const transferred = store
    .all('transfer')
    .filter(({ sourceTransaction }) => sourceTransaction === charge.id)
    .reduce((sum, { amount, amountReversed }) => sum + amount - amountReversed, 0);
  return convert(store, charge.id, charge.amount).amount - transferred;
}

/** @throws {ApiError} if the charge cannot pay this amount, whether its money is available or not */
function requireSource(store: Store, amount: number, currency: string, source: string): Charge {
  const charge = requireRecord(store, 'charge', source, 'source_transaction');
  const movement = store.find('movement', movementId(charge.id));
  if (movement !== undefined && movement.currency !== currency) {
    throw refused(
      `The currency of source_transaction's balance transaction (${movement.currency}) must be the same as the ` +
        `transfer currency (${currency}).`,
      undefined,
      'currency',
    );
  }
  const remaining = charge.decline === null ? remainingOf(store, charge) : 0;
  if (amount <= remaining) return charge;
  throw refused(
    `The transfer amount (${formatMoney(amount, currency)}) is greater than what remains of the source charge ` +
      `(${formatMoney(Math.max(0, remaining), currency)}).`,
    undefined,
    'amount',
  );
}

/**
 * Returns when the money of a transfer is available: with its charge, or at once if that is settled or there is none.
 * @throws {ApiError} if it must be available at once, and less is
 */
function requireFunds(store: Store, amount: number, currency: string, source: Charge | null): number {
  const { availableOn = 0 } = (source && store.find('movement', movementId(source.id))) ?? {};
  if (availableOn > nowInSeconds()) return availableOn;
  if (amount <= availableBalance(store, null, currency)) return nowInSeconds();
  throw refused(
    'You have insufficient available funds in your Stripe account. Try adding funds directly to your available ' +
      'balance by creating Charges using the 4000000000000077 test card.',
    'balance_insufficient',
  );
}

/** Gives a charge without a group one, as Stripe does for a transfer from it. @returns the group of the charge */
function groupOf(store: Store, call: Call, charge: Charge): string {
  if (charge.transferGroup !== null) return charge.transferGroup;
  const transferGroup = `group_${charge.intent}`;
  putAndEmit(store, call, { ...charge, transferGroup }, 'charge.updated');
  return transferGroup;
}

function create(store: Store, call: Call): Transfer {
  const given = readParameters(createParameters, call.parameters);
  const { amount, source_transaction: source } = given;
  const currency = given.currency.toLowerCase();
  if (!/^[a-z]{3}$/.test(currency)) throw invalidParameter('currency', `Invalid currency: ${currency}`);
  const account = findDestination(store, given.destination);
  const charge = source === undefined ? null : requireSource(store, amount, currency, source);
  const availableOn = requireFunds(store, amount, currency, charge);
  const transfer: Transfer = {
    ...newRecord('transfer', 'tr'),
    amount,
    amountReversed: 0,
    currency,
    destination: account.id,
    sourceTransaction: charge?.id ?? null,
    transferGroup: charge === null ? given.transfer_group : groupOf(store, call, charge),
    description: given.description,
    metadata: given.metadata ?? {},
  };
  const { description } = transfer;
  putMovement(store, {
    id: movementId(transfer.id),
    amount: -amount,
    currency,
    type: 'transfer',
    reportingCategory: 'transfer',
    source: transfer.id,
    description,
    availableOn,
  });
  putMovement(store, {
    id: movementId(transfer.id, 'in_'),
    account: account.id,
    amount,
    currency,
    type: 'payment',
    reportingCategory: 'charge',
    source: destinationPayment(transfer),
    description,
    availableOn,
  });
  return putAndEmit(store, call, transfer, 'transfer.created');
}

export const transferEndpoints: Endpoint[] = [
  { method: 'POST', path: '/v1/transfers', handle: create },
  // Source of the filters: https://docs.stripe.com/api/transfers/list
  listEndpoint('transfer', '/v1/transfers', {
    destination: ({ destination }) => destination,
    transfer_group: ({ transferGroup }) => transferGroup,
  }),
  retrieveEndpoint('transfer', '/v1/transfers', 'id'),
  { method: 'POST', path: '/v1/transfers/:id/reversals', handle: reverse },
  { method: 'GET', path: '/v1/transfers/:id/reversals', handle: listReversals },
];
