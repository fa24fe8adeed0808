export { removeOf as removePhoneCodesOf } from './store.ts';
