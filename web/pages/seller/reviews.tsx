import { Link, useSearchParams } from 'react-router';
import { openedOnThisPage, withParameter } from '../../laptops/use-dialog-parameter.ts';
import { notCountedSentence } from '../../reviews/not-counted.ts';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { REPORT_PARAMETER } from './report-parameter.ts';
import type { ShownReview } from './shown-seller.ts';

/** Drawn, because not every system has a font with stars. */
function Stars({ stars }: { stars: number }) {
  return (
    <span className="flex text-primary">
      {[1, 2, 3, 4, 5].map((star) => (
        <Icon
          key={star}
          name="star"
          className="size-4.5"
          fill={star <= stars ? 'currentColor' : 'none'}
          strokeWidth="1"
        />
      ))}
      <span className="sr-only">{stars} of 5 stars</span>
    </span>
  );
}

/** Opens the dialog that reports a review; by way of the login page for visitors. A link, so that it works before hydration. */
function ReportLink({ review }: { review: ShownReview }) {
  const [search] = useSearchParams();
  return (
    <Link
      to={`?${withParameter(search, REPORT_PARAMETER, review._id)}`}
      state={openedOnThisPage}
      rel="nofollow"
      preventScrollReset
      className="mt-1 inline-block py-1 text-muted text-sm underline underline-offset-4 hover:text-foreground"
    >
      Report<span className="sr-only"> the review by {review.by}</span>
    </Link>
  );
}

function Review({ review }: { review: ShownReview }) {
  return (
    <article className="border-border border-t py-5">
      <header className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <Stars stars={review.stars} />
        <h3 className="font-semibold text-base">
          <bdi>{review.by}</bdi>
        </h3>
        <p className="figures text-muted text-sm [overflow-wrap:anywhere]">
          {review.day}, about {review.productName}
        </p>
      </header>
      {!review.counts && <p className="mt-1 text-muted text-sm">{notCountedSentence}</p>}
      <p dir="auto" className="mt-2 max-w-prose whitespace-pre-line [overflow-wrap:anywhere]">
        {review.text}
      </p>
      {review.answer !== null && (
        <Notice className="mt-3 max-w-prose">
          <p className="text-muted text-sm">The seller’s answer, {review.answer.day}</p>
          <p dir="auto" className="mt-1 whitespace-pre-line [overflow-wrap:anywhere]">
            {review.answer.text}
          </p>
        </Notice>
      )}
      <ReportLink review={review} />
    </article>
  );
}

/** The reviews about a seller. @param props.next the path of the next page, or null */
export function Reviews({ reviews, next }: { reviews: ShownReview[]; next: string | null }) {
  return (
    <section id="reviews" aria-labelledby="reviews-title" className="mt-12">
      <h2 id="reviews-title" className="mb-4 text-2xl sm:text-3xl">
        Reviews
      </h2>
      {reviews.length === 0 ? (
        <p className="text-muted">
          None here yet. Buyers can review a seller after the hand-over of a laptop.
        </p>
      ) : (
        reviews.map((review) => <Review key={review._id} review={review} />)
      )}
      {next !== null && (
        <Link to={next} className="link inline-block py-2 font-semibold">
          Older reviews
        </Link>
      )}
    </section>
  );
}
