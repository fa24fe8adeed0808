import { useState } from 'react';
import { useDialogParameter } from '../../laptops/use-dialog-parameter.ts';
import { ReportReviewDialog } from '../../reviews/report-review-dialog.tsx';
import { REPORT_PARAMETER } from './report-parameter.ts';

/** The dialog that reports the review which the URL names, for signed-in people. */
export function ReportDialogFromUrl() {
  const { value, close } = useDialogParameter(REPORT_PARAMETER);
  const [reviewId, setReviewId] = useState(value);
  // The dialog shows the same review while it closes.
  if (value !== null && value !== reviewId) setReviewId(value);
  if (reviewId === null) return null;
  return <ReportReviewDialog key={reviewId} reviewId={reviewId} open={value !== null} onClose={close} />;
}
