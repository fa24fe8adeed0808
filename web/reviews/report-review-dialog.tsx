import { reportReview, reviewReportReasons } from '#contract/sales/review-reports.ts';
import { ReportDialog } from '../forms/report-dialog.tsx';

interface ReportReviewDialogProps {
  reviewId: string;
  open: boolean;
  onClose: () => void;
}

/** The dialog that reports a review. */
export function ReportReviewDialog({ reviewId, open, onClose }: ReportReviewDialogProps) {
  return (
    <ReportDialog
      title="Report this review"
      description="Tell the shop’s administrators what is wrong with this review, or with the answer to it. They read every report, and you are told the result by email."
      target={{
        name: 'this review',
        reasons: reviewReportReasons,
        noteHint: 'What breaks the rules. Nobody but the administrators reads it.',
        endpoint: reportReview,
        input: (body) => ({ params: { _id: reviewId }, body }),
      }}
      open={open}
      onClose={onClose}
    />
  );
}
