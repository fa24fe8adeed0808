import type { Parcel } from '#contract/sales/orders.ts';
import type { TrackedParcel } from '#contract/sales/shipping.ts';
import type { Transaction } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import * as store from './store.ts';

/**
 * Adds a parcel to a locked order.
 * @param field of the tracking number in the request
 * @throws Refusal when the number is that of another parcel
 */
export async function addParcel(
  transaction: Transaction,
  orderId: string,
  parcel: TrackedParcel & Pick<Parcel, 'way'>,
  field: string,
): Promise<void> {
  if (await store.insertParcel(transaction, orderId, parcel)) return;
  const error = 'This tracking number is that of another parcel';
  throw new Refusal('invalid_input', `${error}. Nothing was changed; please look at the carrier’s receipt again.`, {
    errors: { [field]: error },
  });
}
