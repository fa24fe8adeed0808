export { clearWishlist, wishedLaptopId } from './store.ts';
