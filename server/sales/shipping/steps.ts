export { markNumberUsed, recordReturnTurnedBack } from './follow-labels.ts';
export { isDelivered } from './label-rules.ts';
export { countLabels, isScanAwaited, labelOfLatestParcel } from './label-store.ts';
export { removePackingPhotosOf } from './packing-store.ts';
export { countLateParcels, insertParcel, isLate } from './store.ts';
