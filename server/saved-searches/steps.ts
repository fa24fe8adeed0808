export { removeSavedSearches } from './store.ts';
