export { readSending, removeOf as removePhoneCodesOf } from './store.ts';
