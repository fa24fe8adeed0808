export { list as listBrands } from './store.ts';
