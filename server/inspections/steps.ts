export { removeDraftsOf } from './draft-store.ts';
export { removeMeasurementsOf } from './store.ts';
