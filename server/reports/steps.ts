export { countReportsBy } from './store.ts';
