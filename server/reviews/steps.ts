export { hasWritten as hasWrittenReviews } from './store.ts';
