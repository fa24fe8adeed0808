export { readSending, removeCodesOf as removePhoneCodesOf } from './store.ts';
