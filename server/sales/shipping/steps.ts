export { insertParcel } from './store.ts';
