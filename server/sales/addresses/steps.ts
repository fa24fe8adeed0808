export {
  deleteOldSenders,
  deleteSender,
  findLatestSender,
  findSender,
  senderIn,
  setSender,
} from './sender-store.ts';
export {
  addressColumns,
  deleteAddress,
  deleteAddressesOf,
  deleteOldAddresses,
  setAddress,
} from './store.ts';
