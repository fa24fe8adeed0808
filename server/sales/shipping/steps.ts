export { markNumberUsed } from './follow-labels.ts';
export { countLabels, isScanAwaited, labelOfLatestParcel } from './label-store.ts';
export { removePackingPhotosOf } from './packing-store.ts';
export { countLateParcels, insertParcel } from './store.ts';
