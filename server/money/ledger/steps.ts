import type { Transaction } from '#server/platform/database/tables.ts';
import type { Posting } from './rules.ts';
import * as store from './store.ts';

export {
  changeCurrency,
  lockSellerBalance,
  type PeriodBounds,
  periodBounds,
  recordTimeZone,
} from './store.ts';

/** Posts a movement of money, once per kind and reference. @returns whether it was new */
export async function post(transaction: Transaction, posting: Posting): Promise<boolean> {
  const id = await store.insertPosting(transaction, posting);
  if (id === null) return false;
  await store.insertEntries(transaction, id, posting.entries);
  return true;
}
