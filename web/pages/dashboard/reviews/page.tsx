import { href, Link, useSearchParams } from 'react-router';
import { dismissReviewReports } from '#contract/sales/review-reports.ts';
import { type ListedReview, listReviews, removeReview } from '#contract/sales/reviews.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { type Decision, Decisions } from '../../../forms/decisions.tsx';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { ListCards } from '../../../lists/list-view.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Notice } from '../../../ui/notice.tsx';

function decisionsOn({
  _id,
  authorName,
  actions,
}: ListedReview): Record<ListedReview['actions'][number], Decision> {
  const params = { _id };
  const reporters = actions.includes('dismiss')
    ? ['Everybody with an open report of it is told the result by email.']
    : [];
  return {
    dismiss: {
      button: 'Dismiss the reports',
      busy: 'Dismissing',
      isDangerous: false,
      title: 'Dismiss the reports?',
      consequences: [
        'The open reports are closed, and the review stays.',
        ...reporters,
        `${authorName} is not told.`,
      ],
      field: 'note',
      label: 'Note',
      hint: 'Why, for the audit trail. Only administrators read it.',
      endpoint: dismissReviewReports,
      params,
      done: 'The reports are dismissed.',
      alreadyDone: 'The reports were resolved already.',
    },
    remove: {
      button: 'Remove the review',
      busy: 'Removing',
      isDangerous: true,
      title: 'Remove the review?',
      consequences: [
        'Nobody but its author and administrators reads it any more, and it no longer counts. This cannot be undone.',
        `${authorName} is told by email, with your reason.`,
        ...reporters,
      ],
      field: 'reason',
      label: 'Reason',
      hint: 'The author reads it, and it is recorded in the audit trail.',
      endpoint: removeReview,
      params,
      done: 'The review is removed, and no longer counts.',
      alreadyDone: 'The review was removed already.',
    },
  };
}

function StateBadge({ isShown, counts, removedBecause }: ListedReview) {
  if (removedBecause !== null) return <Badge tone="bad">Removed</Badge>;
  if (isShown && !counts) return <Badge>Shown, not counted</Badge>;
  return isShown ? <Badge tone="good">Shown</Badge> : <Badge>Waiting for the other review</Badge>;
}

function Quote({ title, children }: { title: string; children: string }) {
  return (
    <Notice className="max-w-prose">
      <p className="text-muted text-sm">{title}</p>
      <p dir="auto" className="mt-1 whitespace-pre-line wrap-anywhere">
        {children}
      </p>
    </Notice>
  );
}

const reportTones = { Open: 'warm', Dismissed: 'neutral', Removed: 'good' } as const;

function Reports({ reports }: Pick<ListedReview, 'reports'>) {
  if (reports.length === 0) return null;
  return (
    <ul aria-label="Reports" className="flex flex-col divide-y divide-border border-border border-y">
      {reports.map(({ _id, reason, note, reporterName, reportedAt, state }) => (
        <li key={_id} className="flex flex-col gap-1 py-3">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <strong className="font-semibold">{reason}</strong>
            <Badge tone={reportTones[state]}>{state}</Badge>
            <span className="text-muted text-sm wrap-anywhere [&_span]:inline!">
              reported by {reporterName}, <DateTime at={reportedAt} />
            </span>
          </span>
          {note !== '' && (
            <span dir="auto" className="max-w-prose whitespace-pre-line wrap-anywhere">
              {note}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A review with its reports, and what an admin can do with it. */
function ReviewItem({ review }: { review: ListedReview }) {
  const decisions = decisionsOn(review);
  const { _id, orderId, stars, productName, text, answer, authorName, subjectName, by, at } = review;
  const open = review.reports.filter(({ state }) => state === 'Open').length;
  const name = `${stars} of 5 stars, ${productName}`;
  return (
    <article aria-labelledby={`review-${_id}`} className="card flex flex-col gap-4 shadow-card">
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 id={`review-${_id}`} tabIndex={-1} className="text-lg outline-offset-4">
            <Link to={href('/dashboard/order/:id', { id: orderId })} className="hover:underline">
              {name}
            </Link>
          </h2>
          <p className="mt-1 text-muted text-sm wrap-anywhere [&_span]:inline!">
            by {authorName} ({by}) about {subjectName}, <DateTime at={at} />
          </p>
        </div>
        <span className="flex flex-wrap gap-2">
          {open > 0 && <Badge tone="warm">{open === 1 ? '1 open report' : `${open} open reports`}</Badge>}
          <StateBadge {...review} />
        </span>
      </header>
      <p dir="auto" className="max-w-prose whitespace-pre-line wrap-anywhere">
        {text}
      </p>
      {answer !== null && <Quote title={`The answer of ${subjectName}`}>{answer.text}</Quote>}
      {review.removedBecause !== null && (
        <Quote title="The reason of its removal">{review.removedBecause}</Quote>
      )}
      <Reports reports={review.reports} />
      <Decisions name={name} decisions={review.actions.map((action) => decisions[action])} />
    </article>
  );
}

/** The admins' list of reviews and their reports; those of one order at `?order=`. */
export default function ReviewsPage() {
  const [parameters] = useSearchParams();
  const order = parameters.get('order');
  return (
    <>
      <PageHeading title="Reviews">
        What buyers and sellers write about each other: those with open reports first, then the newest. A
        review that breaks the rules is removed with a reason. Each decision is recorded in the audit trail.
      </PageHeading>
      {order !== null && (
        <Link to="?" className="link mb-6 inline-block min-h-6">
          Show the reviews of all sales
        </Link>
      )}
      <ListCards
        endpoint={listReviews}
        parameters={order === null ? {} : { query: { order } }}
        what="the reviews"
        emptyTitle="No reviews yet"
        empty="Buyers and sellers can review each other after the hand-over of a laptop."
        card={(review) => <ReviewItem review={review} />}
      />
    </>
  );
}
