export { eraseReportNotes } from './report-store.ts';
export { hasWritten as hasWrittenReviews } from './store.ts';
