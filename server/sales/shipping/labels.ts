import * as z from 'zod/mini';
import type { ParcelWay } from '#contract/sales/labels.ts';
import type { Context } from '#server/platform/context.ts';
import { inSnapshot } from '#server/platform/database/snapshot.ts';
import type { Reader, Transaction } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { type Enqueue, job } from '#server/platform/jobs/queue.ts';
import { findLatestSender, findSender } from '../addresses/steps.ts';
import { findReadableOrder } from '../orders/actions.ts';
import { type OrderedLaptop, takesReturnAddress } from '../orders/rules.ts';
import { selectOrderForUpdate } from '../orders/steps.ts';
import type { Carriers } from './carriers.ts';
import * as rules from './label-rules.ts';
import * as store from './label-store.ts';

export interface LabelDependencies extends Pick<Context, 'database' | 'enqueue' | 'shop'> {
  /** Null when the shop buys no labels: sellers then type the numbers of their own. */
  carriers: Carriers | null;
}

/** A label is to be bought, or given back, or something has happened to its parcel. */
export const labelChanged = job('shipping.label-changed', z.object({ labelId: z.string() }), 'carriers');

/** @throws Refusal when the shop buys no labels */
export function requireCarriers({ carriers }: LabelDependencies): Carriers {
  if (carriers !== null) return carriers;
  throw new Refusal(
    'label_refused',
    'This shop buys no labels. Please send the laptop with a label of your own, and enter its tracking number.',
  );
}

/** @throws Refusal when too little stands behind the seller of an order for a label of the shop */
export async function requireBackedSeller(
  reader: Reader,
  { shop }: Pick<LabelDependencies, 'shop'>,
  order: OrderedLaptop,
  way: ParcelWay,
): Promise<void> {
  const { payoutMethod, payoutAfter } = shop();
  const seller = await store.labelSeller(reader, order, payoutAfter);
  const refusal = rules.purchaseRefusal(way, seller, payoutMethod === 'by_hand');
  if (refusal !== null) throw new Refusal('label_refused', refusal);
}

/** The labels of an order, and which one the caller can buy now. @throws Refusal */
export function listOrderLabels(
  { database, carriers, shop }: LabelDependencies,
  caller: Caller,
  orderId: string,
) {
  return inSnapshot(database, async (reader) => {
    const { order, role } = await findReadableOrder(reader, caller, orderId);
    const rows = await store.labelsOf(reader, orderId);
    const shown = rows.filter(({ state, way }) => state !== 'quoted' && (role !== 'buyer' || way === 'back'));
    const sender = await findSender(reader, orderId);
    const offered = carriers === null ? null : rules.wayToBuyLabel(order, role);
    const ownWay = { buyer: 'back', seller: 'out', admin: null }[role];
    return {
      // Without an address nothing can be sent to the seller.
      offered: offered === 'back' && sender === null ? null : offered,
      takesReturnAddress:
        role !== 'admin' &&
        takesReturnAddress(order) &&
        (role === 'seller' ? !rules.hasReturnLabel(rows) : sender === null),
      borneBy: shop().shippingBorneBy,
      sender: role === 'seller' ? (sender ?? (await findLatestSender(reader, order))) : null,
      labels: shown.map((row) =>
        rules.toLabel(row, { isOwn: row.way === ownWay, isPriceShown: role !== 'buyer' }),
      ),
    };
  });
}

/** Locks the order of a label, and then the label. @returns null without such a label */
export async function lockLabel(
  transaction: Transaction,
  id: string,
): Promise<{ order: OrderedLaptop; label: rules.LabelRow } | null> {
  const found = await store.findLabel(transaction, id);
  const order = found && (await selectOrderForUpdate(transaction, found.order_id));
  const label = order && (await store.selectLabelForUpdate(transaction, id));
  return label ? { order, label } : null;
}

/** Gives a locked label back, if it is not used. */
export async function refundUnusedLabel(
  transaction: Transaction,
  enqueue: Enqueue,
  label: rules.LabelRow,
): Promise<void> {
  if (label.state !== 'bought' && label.state !== 'buying') return;
  await store.updateLabel(transaction, label.id, {
    state: 'voiding',
    next_check_at: rules.nextCheck({ ...label, state: 'voiding' }, new Date()),
  });
  await enqueue(transaction, labelChanged, { labelId: label.id });
}

/** Gives the labels to the buyer of a locked order back that nobody used, and forgets prices. @param except the number of one that is used */
export async function refundUnusedLabels(
  transaction: Transaction,
  enqueue: Enqueue,
  orderId: string,
  except?: string,
): Promise<void> {
  await store.deleteQuotes(transaction, orderId);
  for (const label of await store.labelsOf(transaction, orderId)) {
    if (label.way === 'out' && label.tracking_number !== except)
      await refundUnusedLabel(transaction, enqueue, label);
  }
}
