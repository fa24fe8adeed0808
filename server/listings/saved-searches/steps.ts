export { find as findSavedSearch, pause as pauseSavedSearch, removeSavedSearches } from './store.ts';
