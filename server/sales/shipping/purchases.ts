import { centsFromAmount } from '#contract/platform/money.ts';
import { lockActiveAccount } from '#server/people/accounts/steps.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import { accountEnded, Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { orderStateChanged } from '../orders/refusals.ts';
import type { OrderedLaptop } from '../orders/rules.ts';
import { labelCentsOf } from '../orders/steps.ts';
import * as rules from './label-rules.ts';
import * as store from './label-store.ts';
import {
  type LabelDependencies,
  labelChanged,
  lockLabel,
  refundUnusedLabel,
  requireBackedSeller,
} from './labels.ts';
import { labelTooDear } from './refusals.ts';

const labelNotFound = () =>
  new Refusal(
    'not_found',
    'There is no such label. Prices end after a day and when an address changes: please ask for them again. Nothing was bought.',
  );

/** Locks a label and its order, for a person who can buy or void it. @throws Refusal */
async function lockOwnLabel(
  transaction: Transaction,
  caller: Caller,
  id: string,
): Promise<{ order: OrderedLaptop; label: rules.LabelRow }> {
  const locked = await lockLabel(transaction, id);
  if (locked === null) throw labelNotFound();
  const { order, label } = locked;
  if (caller.userId !== (label.way === 'out' ? order.seller_id : order.buyer_id)) throw labelNotFound();
  return locked;
}

/**
 * Buys a label: a job asks the carrier, which sells each shipment once, however often the job runs.
 * @returns false when it was asked before @throws Refusal
 */
export function buyLabel(
  dependencies: LabelDependencies,
  caller: Caller,
  id: string,
  { rate: rateId, price }: { rate: string; price: number },
): Promise<boolean> {
  const { database, enqueue } = dependencies;
  return database.transaction().execute(async (transaction) => {
    // Of two labels at once, each counts for the other one.
    if (!(await lockActiveAccount(transaction, caller.userId))) throw accountEnded();
    const { order, label } = await lockOwnLabel(transaction, caller, id);
    if (label.state !== 'quoted') {
      if (label.rate_id === rateId && label.state !== 'failed') return false;
      throw new Refusal(
        'label_refused',
        'This price was used already. Nothing was bought; please ask for the prices again.',
      );
    }
    const way = rules.wayToBuyLabel(order, order.seller_id === caller.userId ? 'seller' : 'buyer');
    if (way !== label.way) throw orderStateChanged(order);
    await requireBackedSeller(transaction, dependencies, order, way);
    const costCents = rules.quotedCents(label, rateId);
    if (
      costCents === undefined ||
      centsFromAmount(price) !== costCents ||
      label.quoted_at.getTime() < Date.now() - rules.QUOTE_MS
    ) {
      throw new Refusal(
        'price_differs',
        'The prices of carriers have changed. Nothing was bought; please ask for them again.',
      );
    }
    const mostCents = rules.maximumLabelCents(order, label, await labelCentsOf(transaction, order.id));
    // A part of the price can have gone back since the quote.
    if (costCents > mostCents) throw labelTooDear(label, costCents, mostCents);
    await store.updateLabel(transaction, id, {
      state: 'buying',
      rate_id: rateId,
      next_check_at: rules.nextCheck({ ...label, state: 'buying' }, new Date()),
    });
    await enqueue(transaction, labelChanged, { labelId: id });
    return true;
  });
}

/** Gives an unused label back to the carrier. @returns false when that was asked before @throws Refusal */
export function voidLabel(
  { database, enqueue }: LabelDependencies,
  caller: Caller,
  id: string,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const { label } = await lockOwnLabel(transaction, caller, id);
    if (label.state === 'voiding' || label.state === 'voided') return false;
    if (label.state !== 'bought' && label.state !== 'buying') {
      throw new Refusal(
        'label_refused',
        'The carrier already has this parcel, or no label was bought. Nothing was changed.',
      );
    }
    await refundUnusedLabel(transaction, enqueue, label);
    return true;
  });
}
