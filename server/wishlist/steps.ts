export { clearWishlist, findLaptopId as findWishlistLaptopId } from './store.ts';
