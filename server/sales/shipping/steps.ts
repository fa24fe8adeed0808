export { claimLostParcel } from './claim-store.ts';
export { countLabels } from './label-store.ts';
export { countLateParcels, insertParcel } from './store.ts';
