import { useState } from 'react';
import { Problem } from '#contract/platform/client.ts';
import type { Order } from '#contract/sales/orders.ts';
import { writeReview } from '#contract/sales/reviews.ts';
import { useRequestForm } from '../../../forms/use-request-form.ts';
import { createIdempotencyKeys } from '../../../requests/idempotency-keys.ts';
import { useApi } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field, FormFailure, TextArea } from '../../../ui/field.tsx';
import { Choices } from './choices.tsx';

/** A retry after a lost response stores one review. */
const idempotencyKeys = createIdempotencyKeys(() => sessionStorage);

const choices = [
  { name: '5', label: '5 stars', consequence: 'All as agreed' },
  { name: '4', label: '4 stars', consequence: 'Good, with small flaws' },
  { name: '3', label: '3 stars', consequence: 'In between' },
  { name: '2', label: '2 stars', consequence: 'Much was not as agreed' },
  { name: '1', label: '1 star', consequence: 'Nothing was as agreed' },
] as const;
type Stars = (typeof choices)[number]['name'];

interface NewReviewProps {
  order: Order;
  onWritten: () => Promise<void>;
  refresh: () => Promise<void>;
}

/** The form for a review of the other side. Nothing typed is lost when it cannot be sent. */
export function NewReview({ order, onWritten, refresh }: NewReviewProps) {
  const api = useApi();
  const [stars, setStars] = useState<Stars | null>(null);
  const [isStarMissing, setIsStarMissing] = useState(false);
  const name = order.role === 'buyer' ? order.sellerName : order.buyerName;
  const required = 'Say in words how it went';
  const { register, errors, isSubmitting, submit, failure } = useRequestForm<{ text: string }>(
    async ({ text }) => {
      if (stars === null) return;
      const body = { stars: Number(stars), text };
      try {
        await idempotencyKeys.send(`review:${order._id}:${order.role}`, body, ({ idempotencyKey }) =>
          api.call(writeReview, { params: { _id: order._id }, body, idempotencyKey }),
        );
      } catch (error) {
        // The other side's review is shown by now, or this one was stored in another tab.
        if (error instanceof Problem && error.code === 'review_refused') await refresh();
        throw error;
      }
      await onWritten();
    },
    { text: '' },
  );
  return (
    <form
      noValidate
      aria-label="Your review"
      onSubmit={(event) => {
        setIsStarMissing(stars === null);
        return submit(event);
      }}
      className="flex max-w-prose flex-col items-start gap-5 border-border border-t pt-4"
    >
      <p>
        How was it with {name}? Neither of you reads the other review before both are written. A review cannot
        be changed.
      </p>
      <div className="w-full">
        <Choices
          legend="Stars"
          choices={choices}
          chosen={stars}
          disabled={isSubmitting}
          error={isStarMissing && stars === null ? 'Choose one to five stars' : undefined}
          onChoose={setStars}
        />
      </div>
      <Field
        label="Your words"
        hint={order.role === 'buyer' ? 'Everybody can read them on the seller’s page.' : undefined}
        error={errors.text?.message}
        className="w-full"
      >
        <TextArea
          rows={5}
          {...register('text', { required, validate: (text) => text.trim() !== '' || required })}
        />
      </Field>
      <FormFailure message={failure} />
      <Button type="submit" busy={isSubmitting && 'Sending…'}>
        Send the review
      </Button>
    </form>
  );
}
