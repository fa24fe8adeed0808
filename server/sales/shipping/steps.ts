import type { Transaction } from '#server/platform/database/tables.ts';
import { unsettledLabels } from './label-store.ts';

export { markNumberUsed, recordReturnTurnedBack } from './follow-labels.ts';
export { countLabels, isScanAwaited, labelOfLatestParcel } from './label-store.ts';
export { removePackingPhotosOf } from './packing-store.ts';
export { countLateParcels, insertParcel, isLate } from './store.ts';

/** Why a seller's account must not be deleted yet: what a label costs, or its insurance pays, is not known. Null when it is. */
export async function unsettledLabelRefusal(
  transaction: Transaction,
  sellerId: string,
): Promise<string | null> {
  switch (await unsettledLabels(transaction, sellerId)) {
    case 'carrier':
      return 'The carrier has yet to say what a label of yours costs. Please wait until that is settled.';
    case 'insurance':
      return 'The insurance of a parcel of yours has yet to answer, and what it pays is yours. Please wait until that is settled.';
    default:
      return null;
  }
}
