import { useState } from 'react';
import { href, Link } from 'react-router';
import type { Order } from '#contract/sales/orders.ts';
import {
  answerReview,
  type OrderReview,
  REVIEW_WAIT_DAYS,
  type ReviewsOfOrder,
  readReviewsOfOrder,
  writeReview,
} from '#contract/sales/reviews.ts';
import { DateTime, Day } from '../../../formats/date-time.tsx';
import { Choices } from '../../../forms/choices.tsx';
import { RequestForm } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { notCountedSentence } from '../../../reviews/not-counted.ts';
import { ReportReviewDialog } from '../../../reviews/report-review-dialog.tsx';
import { useRights } from '../../../session/roles.ts';
import { SmallButton } from '../../../ui/button.tsx';
import { Details } from '../../../ui/details.tsx';
import { Field, TextArea } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { moveFocusTo } from '../../../ui/route-announcer.tsx';
import { Section } from '../../../ui/section.tsx';
import { authorOf } from './complaints.tsx';

/** The form of an answer, which opens on request. */
function AnswerForm({ reviewId, onDone }: { reviewId: string; onDone: () => void }) {
  const form = useWriteForm(answerReview, {
    defaultValues: { text: '' },
    input: (body: { text: string }) => ({ params: { _id: reviewId }, body }),
    done: 'Your answer stands below the review.',
    onClose: onDone,
  });
  return (
    <Details summary="Answer it">
      <RequestForm
        form={form}
        submit="Send the answer"
        busy="Sending…"
        variant="secondary"
        className="flex max-w-prose flex-col items-start gap-4"
      >
        <Field
          label="Your answer"
          hint="You can answer once. An answer stays as it was written."
          {...form.field('text')}
          className="w-full"
        >
          <TextArea rows={4} />
        </Field>
      </RequestForm>
    </Details>
  );
}

/** The id of the heading that takes the focus when a form is gone. */
const heading = 'order-reviews';

interface ReviewItemProps {
  order: Order;
  review: OrderReview;
  /** Called after a change. */
  onDone: () => void;
}

function ReviewItem({ order, review, onDone }: ReviewItemProps) {
  const [isReporting, setIsReporting] = useState(false);
  return (
    <li className="flex flex-col gap-3 border-border border-t pt-4">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span className="wrap-anywhere">
          <strong className="font-semibold">{authorOf(review.by, order)}</strong> gave {review.stars} of 5
          stars
        </span>
        <span className="text-sm">
          <DateTime at={review.at} />
        </span>
      </p>
      {!review.counts && <p className="text-muted text-sm">{notCountedSentence}</p>}
      <p dir="auto" className="max-w-prose whitespace-pre-line wrap-anywhere">
        {review.text}
      </p>
      {review.answer !== null && (
        <Notice className="max-w-prose">
          <p className="text-muted text-sm">
            The answer, <Day at={review.answer.at} />
          </p>
          <p dir="auto" className="mt-1 whitespace-pre-line wrap-anywhere">
            {review.answer.text}
          </p>
        </Notice>
      )}
      {review.removedBecause !== undefined ? (
        <Notice tone="problem" className="max-w-prose whitespace-pre-line wrap-anywhere">
          An admin has removed this review: “{review.removedBecause}”
        </Notice>
      ) : (
        !review.isShown && <p className="text-muted text-sm">Nobody else can read it yet.</p>
      )}
      {review.actions.includes('answer') && <AnswerForm reviewId={review._id} onDone={onDone} />}
      {review.actions.includes('report') && (
        <>
          <SmallButton variant="quiet" className="-ml-3.5 self-start" onClick={() => setIsReporting(true)}>
            Report this review
          </SmallButton>
          <ReportReviewDialog
            reviewId={review._id}
            open={isReporting}
            onClose={() => setIsReporting(false)}
          />
        </>
      )}
    </li>
  );
}

/** When the caller's review is shown, or the other side's can be read. */
function waitingSentence({ reviews, otherWaits, canWrite }: ReviewsOfOrder): string | null {
  if (otherWaits) {
    return canWrite
      ? 'The other side has reviewed you. You read it when you have written yours.'
      : 'The other review waits for yours.';
  }
  return reviews.length === 1 && reviews[0]?.isShown === false && reviews[0].removedBecause === undefined
    ? `It is shown when the other side has written one, or ${REVIEW_WAIT_DAYS} days after the hand-over.`
    : null;
}

const choices = [
  { name: '5', label: '5 stars', consequence: 'All as agreed' },
  { name: '4', label: '4 stars', consequence: 'Good, with small flaws' },
  { name: '3', label: '3 stars', consequence: 'In between' },
  { name: '2', label: '2 stars', consequence: 'Much was not as agreed' },
  { name: '1', label: '1 star', consequence: 'Nothing was as agreed' },
] as const;
type Stars = (typeof choices)[number]['name'];

/** The form for a review of the other side. Nothing typed is lost when it cannot be sent. */
function NewReview({ order, onWritten }: { order: Order; onWritten: () => void }) {
  const name = order.role === 'buyer' ? order.sellerName : order.buyerName;
  const form = useWriteForm(writeReview, {
    defaultValues: { stars: '', text: '' },
    input: ({ stars, text }: { stars: Stars | ''; text: string }) => ({
      params: { _id: order._id },
      body: { stars: Number(stars), text },
    }),
    done: 'Thank you. Your review is stored.',
    onClose: onWritten,
  });
  const { errors, isSubmitting } = form;
  const stars = form.watch('stars');
  return (
    <RequestForm
      form={form}
      submit="Send the review"
      busy="Sending…"
      aria-label="Your review"
      className="flex max-w-prose flex-col items-start gap-5 border-border border-t pt-4"
    >
      <p>
        How was it with {name}? Neither of you reads the other review before both are written. A review cannot
        be changed.
      </p>
      <div className="w-full">
        <Choices
          legend="Stars"
          name="stars"
          choices={choices}
          chosen={stars === '' ? null : stars}
          disabled={isSubmitting}
          error={errors.stars?.message}
          onChoose={(chosen) => {
            form.setValue('stars', chosen);
            form.clearErrors('stars');
          }}
        />
      </div>
      <Field
        label="Your words"
        hint={order.role === 'buyer' ? 'Everybody can read them on the seller’s page.' : undefined}
        {...form.field('text')}
        className="w-full"
      >
        <TextArea rows={5} />
      </Field>
    </RequestForm>
  );
}

interface ReviewsProps {
  order: Order;
  /** Whether it is open who gets the money: a review is written when that is settled. */
  isUndecided: boolean;
}

/** The reviews of an order after its hand-over; nothing before. */
export function Reviews({ order, isUndecided }: ReviewsProps) {
  const [isWritten, setIsWritten] = useState(false);
  const isFor = useRights();
  const query = useRead(readReviewsOfOrder, { params: { _id: order._id } });
  const onDone = () => moveFocusTo(`#${heading}`);
  if (query.data?.shownFrom === null) return null;
  return (
    <Section title="Reviews" id={heading} takesFocus className="card flex flex-col gap-4">
      <QueryView query={query} what="the reviews" skeleton="h-24">
        {(data) => {
          const waiting = waitingSentence(data);
          return (
            <>
              {data.reviews.length === 0 && !data.canWrite && waiting === null && (
                <p className="text-muted">Nobody has written a review.</p>
              )}
              {data.reviews.length > 0 && (
                <ul className="flex flex-col gap-4">
                  {data.reviews.map((review) => (
                    <ReviewItem key={review._id} order={order} review={review} onDone={onDone} />
                  ))}
                </ul>
              )}
              {order.role === 'admin' && isFor('complaints') && data.reviews.length > 0 && (
                <Link to={`${href('/dashboard/reviews')}?order=${order._id}`} className="link min-h-6">
                  Reviews of this sale
                </Link>
              )}
              {waiting !== null && <p className="max-w-prose text-muted">{waiting}</p>}
              {data.canWrite && isUndecided && (
                <p className="max-w-prose text-muted">You can review each other when this is settled.</p>
              )}
              {data.canWrite && !isUndecided && !isWritten && (
                <NewReview
                  order={order}
                  onWritten={() => {
                    onDone();
                    setIsWritten(true);
                  }}
                />
              )}
            </>
          );
        }}
      </QueryView>
    </Section>
  );
}
