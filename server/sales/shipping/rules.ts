import { DAY_MS } from '#contract/platform/durations.ts';
import type { LateParcel } from '#contract/sales/shipping.ts';
import { LATE_DAYS } from '#contract/sales/shipping.ts';

/** How long before its deadline a parcel counts as late, in milliseconds. */
export const LATE_MS = LATE_DAYS * DAY_MS;

/**
 * How many days an address is kept since it was given. Unpaid: the buyer gives it again before the payment. Paid: at least so long, and
 * until the order has ended; banks take disputes for 120 days and ask for proof of delivery.
 */
export const ADDRESS_DAYS = { unpaid: 30, paid: 180 } as const;

/** How many days a parcel that arrived late is listed. */
export const LISTED_DAYS = 60;

/** An order whose parcel is late. */
export interface LateOrder {
  id: string;
  number: string;
  laptop_name: string;
  buyer_name: string;
  seller_name: string;
  state: LateParcel['state'];
  state_since: Date;
  due_at: Date | null;
}

/** The response for an order whose parcel is late. */
export const toLateParcel = (row: LateOrder): LateParcel => ({
  _id: row.id,
  productName: row.laptop_name,
  buyerName: row.buyer_name,
  sellerName: row.seller_name,
  state: row.state,
  since: row.state_since.toISOString(),
  dueAt: row.due_at?.toISOString() ?? null,
});
