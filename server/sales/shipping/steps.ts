export { countLateParcels, insertParcel } from './store.ts';
