export { readSending, removeCodesOf as removePhoneCodesOf, type SmsFigures } from './store.ts';
