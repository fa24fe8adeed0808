export { moveBrandInSearches } from './brand-store.ts';
export { find as findSavedSearch, pause as pauseSavedSearch, removeSavedSearches } from './store.ts';
