import type { Order } from '#contract/sales/orders.ts';
import { writeReview } from '#contract/sales/reviews.ts';
import { Choices } from '../../../forms/choices.tsx';
import { RequestForm } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { Field, TextArea } from '../../../ui/field.tsx';

const choices = [
  { name: '5', label: '5 stars', consequence: 'All as agreed' },
  { name: '4', label: '4 stars', consequence: 'Good, with small flaws' },
  { name: '3', label: '3 stars', consequence: 'In between' },
  { name: '2', label: '2 stars', consequence: 'Much was not as agreed' },
  { name: '1', label: '1 star', consequence: 'Nothing was as agreed' },
] as const;
type Stars = (typeof choices)[number]['name'];

/** The form for a review of the other side. Nothing typed is lost when it cannot be sent. */
export function NewReview({ order, onWritten }: { order: Order; onWritten: () => void }) {
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
