export { markNumberUsed } from './follow-labels.ts';
export { countLabels } from './label-store.ts';
export { countLateParcels, insertParcel } from './store.ts';
