export {
  addressColumns,
  deleteAddress,
  deleteAddressesOf,
  deleteOldAddresses,
  setAddress,
} from './store.ts';
