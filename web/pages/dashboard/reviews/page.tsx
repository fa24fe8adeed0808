import { listReviews } from '#contract/sales/reviews.ts';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { ListCards } from '../../../lists/list-view.tsx';
import { useList } from '../../../lists/use-list.ts';
import { privateMeta } from '../../../metadata/page-meta.ts';
import { ReviewItem } from './review-item.tsx';

export const meta = privateMeta('Reviews');

/** The admins' list of reviews and their reports. */
export default function ReviewsPage() {
  const reviews = useList(listReviews);
  return (
    <>
      <PageHeading title="Reviews">
        What buyers and sellers write about each other: those with open reports first, then the newest. A
        review that breaks the rules is removed with a reason. Each decision is recorded in the audit trail.
      </PageHeading>
      <ListCards
        list={reviews}
        what="the reviews"
        emptyTitle="No reviews yet"
        empty="Buyers and sellers can review each other after the hand-over of a laptop."
        card={(review) => <ReviewItem review={review} refresh={async () => void (await reviews.refetch())} />}
      />
    </>
  );
}
