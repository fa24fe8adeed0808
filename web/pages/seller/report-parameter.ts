/** The parameter of the URL that names the review to report. */
export const REPORT_PARAMETER = 'reportReview';
