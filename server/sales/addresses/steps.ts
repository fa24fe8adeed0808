export { deleteOldSenders, deleteSender, findSender, setSender } from './sender-store.ts';
export {
  addressColumns,
  deleteAddress,
  deleteAddressesOf,
  deleteOldAddresses,
  setAddress,
} from './store.ts';
