import { Link, useSearchParams } from 'react-router';
import { openedOnThisPage, withParameter } from '../../laptops/use-dialog-parameter.ts';
import { notCountedSentence } from '../../reviews/not-counted.ts';
import { Icon } from '../../ui/icon.tsx';
import { REPORT_PARAMETER } from './report-parameter.ts';
import type { ShownReview } from './shown-seller.ts';

const STAR = 'm10 2 2.4 5 5.4.7-4 3.8 1 5.4-4.8-2.6-4.8 2.6 1-5.4-4-3.8 5.4-.7z';

/** Drawn, because not every system has a font with stars. */
function Stars({ stars }: { stars: number }) {
  return (
    <span className="flex text-orange">
      {[1, 2, 3, 4, 5].map((star) => (
        <Icon
          key={star}
          d={STAR}
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
      className="mt-1 inline-block py-1 text-quiet text-sm underline underline-offset-4 hover:text-ink"
    >
      Report<span className="sr-only"> the review by {review.by}</span>
    </Link>
  );
}

function Review({ review }: { review: ShownReview }) {
  return (
    <article className="border-line border-t py-5">
      <header className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <Stars stars={review.stars} />
        <h3 className="font-semibold text-base [overflow-wrap:anywhere]">
          <bdi>{review.by}</bdi>
        </h3>
        <p className="figures text-quiet text-sm [overflow-wrap:anywhere]">
          {review.day}, about {review.productName}
        </p>
      </header>
      {!review.counts && <p className="mt-1 text-quiet text-sm">{notCountedSentence}</p>}
      <p dir="auto" className="mt-2 max-w-prose whitespace-pre-line [overflow-wrap:anywhere]">
        {review.text}
      </p>
      {review.answer !== null && (
        <div className="mt-3 max-w-prose rounded-lg bg-sunken px-4 py-3">
          <p className="text-quiet text-sm">The seller’s answer, {review.answer.day}</p>
          <p dir="auto" className="mt-1 whitespace-pre-line [overflow-wrap:anywhere]">
            {review.answer.text}
          </p>
        </div>
      )}
      <ReportLink review={review} />
    </article>
  );
}

/** The reviews about a seller. @param props.next the path of the next page, or null */
export function Reviews({ reviews, next }: { reviews: ShownReview[]; next: string | null }) {
  return (
    <section id="reviews" aria-labelledby="reviews-title" className="mt-12 scroll-mt-20">
      <h2 id="reviews-title" className="mb-4 text-2xl sm:text-3xl">
        Reviews
      </h2>
      {reviews.length === 0 ? (
        <p className="text-quiet">
          None here yet. Buyers can review a seller after the hand-over of a laptop.
        </p>
      ) : (
        reviews.map((review) => <Review key={review._id} review={review} />)
      )}
      {next !== null && (
        <Link
          to={next}
          className="inline-block py-2 font-semibold text-aubergine underline underline-offset-4"
        >
          Older reviews
        </Link>
      )}
    </section>
  );
}
