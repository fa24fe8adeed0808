export { countReportsBy, insertShopReport as fileShopReport } from './store.ts';
