import { href, Link } from 'react-router';
import { type ListedReview, listReviews } from '#contract/reviews.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { ListTable } from '../../../lists/list-view.tsx';
import { useList } from '../../../lists/use-list.ts';
import { privateMeta } from '../../../metadata/page-meta.ts';
import { useApi } from '../../../session/session.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table.tsx';

export const meta = () => privateMeta('Reviews');

const textClasses = 'block text-right wrap-anywhere @2xl:text-left';

function State({ isShown, removedBecause }: ListedReview) {
  if (removedBecause !== null) return <Badge tone="bad">Removed</Badge>;
  return isShown ? <Badge tone="good">Shown</Badge> : <Badge>Waits for the other</Badge>;
}

const columns: Column<ListedReview>[] = [
  {
    heading: 'Review',
    lead: true,
    cell: ({ orderId, stars, productName }) => (
      <Link
        to={href('/dashboard/order/:id', { id: orderId })}
        className="font-semibold wrap-anywhere underline underline-offset-4"
      >
        {stars} of 5 stars, {productName}
      </Link>
    ),
  },
  {
    heading: 'Words',
    cell: ({ text }) => (
      <span dir="auto" className={`${textClasses} line-clamp-4 min-w-40 whitespace-pre-line`}>
        {text}
      </span>
    ),
  },
  {
    heading: 'By and about',
    cell: ({ authorName, subjectName, by }) => (
      <span className={textClasses}>
        {authorName} <span className="text-quiet">({by})</span>
        <span className="block text-quiet text-sm">about {subjectName}</span>
      </span>
    ),
  },
  { heading: 'State', cell: (review) => <State {...review} /> },
  { heading: 'Written', cell: ({ at }) => <DateTime at={at} /> },
];

/** The admins' list of reviews. They are removed on their order's page. */
export default function ReviewsPage() {
  const api = useApi();
  const reviews = useList(['reviews'], (query, signal) => api.page(listReviews, { query, signal }));
  return (
    <>
      <PageHeading title="Reviews">
        What buyers and sellers write about each other, newest first. A review that breaks the rules is
        removed on its order, with a reason.
      </PageHeading>
      <ListTable
        list={reviews}
        what="the reviews"
        columns={columns}
        empty={
          <EmptyState title="No reviews yet">
            Buyers and sellers can review each other after the hand-over of a laptop.
          </EmptyState>
        }
      />
    </>
  );
}
