import type { Transaction } from '#server/platform/database/tables.ts';
import { type DueReceipt, type ReceiptedChange, type ReceiptedOrder, receiptsOfMove } from './rules.ts';
import * as store from './store.ts';

export {
  findReceipt,
  receiptsOf,
  receiptsOfPeriod,
  recordShopIdentity,
  streamReceipts,
} from './store.ts';

/**
 * Issues receipts with the next numbers of the year. The year's counter stays locked until the transaction ends, and a
 * rollback gives the numbers back: the numbers have no gaps. Call it last, so that others wait for a short time.
 */
async function issue(
  transaction: Transaction,
  order: ReceiptedOrder,
  receipts: readonly DueReceipt[],
): Promise<void> {
  for (const { kind, recipient, amountCents } of receipts) {
    await store.insertReceipt(transaction, {
      kind,
      order_id: order.id,
      recipient_id: recipient === 'buyer' ? order.buyerId : order.sellerId,
      amount_cents: amountCents,
      laptop_name: order.laptopName,
    });
  }
}

/** Issues the buyer's receipt of a sale. */
export function issueSaleReceipt(transaction: Transaction, order: ReceiptedOrder): Promise<void> {
  return issue(transaction, order, [{ kind: 'sale', recipient: 'buyer', amountCents: order.priceCents }]);
}

/** Issues the receipts of a move, see {@link receiptsOfMove}. */
export function issueReceiptsOfMove(
  transaction: Transaction,
  order: ReceiptedOrder,
  change: ReceiptedChange,
): Promise<void> {
  return issue(transaction, order, receiptsOfMove(order, change));
}

/** Issues the buyer's credit note for what goes back at the shop's own cost. */
export function issueCreditNote(
  transaction: Transaction,
  order: ReceiptedOrder,
  amountCents: number,
): Promise<void> {
  return issue(transaction, order, [{ kind: 'sale_credit', recipient: 'buyer', amountCents }]);
}
