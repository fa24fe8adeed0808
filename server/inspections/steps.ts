export { removeMeasurementsOf } from './store.ts';
