import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useNavigate, useParams } from 'react-router';
import { book, NewBooking } from '#contract/bookings.ts';
import { Problem } from '#contract/client.ts';
import { formatDollars } from '#contract/scalars.ts';
import { readWishlistItem, type WishlistItem } from '#contract/wishlist.ts';
import { type MeetingDetails, meetingDraft } from '../../../bookings/meeting-details.ts';
import { ruleOf } from '../../../forms/schema-rule.ts';
import { Heading } from '../../../layout/page-heading.tsx';
import { linkTo } from '../../../links.ts';
import { dashboardMeta } from '../../../metadata/dashboard-meta.ts';
import { createAttempts } from '../../../requests/idempotency-keys.ts';
import { Missing } from '../../../requests/load-failure.tsx';
import { useFailureToast } from '../../../session/failure-toast.ts';
import { useApi, usePerson } from '../../../session/session.tsx';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { Field, TextInput } from '../../../ui/field.tsx';
import { Photo } from '../../../ui/photo.tsx';
import { EmptyState, Loading, Skeleton } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useMounted } from '../../../ui/use-mounted.ts';

export const meta = () => dashboardMeta('Buy');

const attempts = createAttempts();

/** A refusal settles the matter, so it leads on; whatever else failed leaves the form for another try. */
function isSettled(problem: Problem): boolean {
  return [403, 404, 409].includes(problem.status);
}

function BookingForm({ item }: { item: WishlistItem }) {
  const api = useApi();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const person = usePerson();
  const [failure, setFailure] = useState<string | null>(null);
  const { register, handleSubmit, getValues, setError, formState } = useForm<MeetingDetails>({
    defaultValues: meetingDraft.of(person.email),
  });
  const { errors, isSubmitting } = formState;
  const isMounted = useMounted();
  const toastFailure = useFailureToast();
  /** In place of the form, which has nothing more to do: the back button leads to what was before it. */
  const leave = async () => {
    if (isMounted()) await navigate(linkTo('myOrders'), { replace: true });
  };

  function fail(error: unknown) {
    const problem = error instanceof Problem ? error : null;
    const sentence = problem?.message ?? 'Something went wrong. Please try again.';
    if (!isMounted()) {
      toastFailure(`${item.productName} was not booked: ${sentence}`);
      return;
    }
    const { phone, location } = problem?.errors ?? {};
    if (phone !== undefined) setError('phone', { message: phone }, { shouldFocus: true });
    if (location !== undefined) {
      setError('location', { message: location }, { shouldFocus: phone === undefined });
    }
    if (problem !== null && isSettled(problem)) {
      toast.error(problem.message);
      return leave();
    }
    if (phone === undefined && location === undefined) {
      setFailure(sentence);
    }
  }

  const submit = handleSubmit(async ({ phone, location }) => {
    setFailure(null);
    const { productName, price, image, _id: productCode } = item;
    const { name: buyerName, email } = person;
    const body = { productName, price, buyerName, email, phone, location, image, productCode };
    try {
      const { acknowledged, message } = await attempts.once(
        `${email} ${productCode}`,
        body,
        ({ idempotencyKey }) => api.call(book, { body, idempotencyKey }),
      );
      if (acknowledged) {
        toast.success('Booking Successful. Now pay the bill.');
        void cache.invalidateQueries({ queryKey: ['bookings'] });
      } else {
        toast.error(message);
      }
      await leave();
    } catch (error) {
      await fail(error);
    }
  });

  return (
    <form
      method="post"
      onSubmit={submit}
      onChange={() => meetingDraft.keep(person.email, getValues())}
      noValidate
      className="flex flex-col gap-5"
    >
      <Field label="Name">
        <TextInput value={person.name} readOnly autoComplete="name" />
      </Field>
      <Field label="Email">
        <TextInput type="email" value={person.email} readOnly autoComplete="email" />
      </Field>
      <Field label="Phone Number" error={errors.phone?.message} hint="Only the seller sees it.">
        <TextInput
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          required
          {...register('phone', { validate: ruleOf(NewBooking.shape.phone) })}
        />
      </Field>
      <Field
        label="Meeting Location"
        error={errors.location?.message}
        hint="Where you want to meet the seller, for example a café or a station."
      >
        <TextInput
          autoComplete="off"
          required
          {...register('location', { validate: ruleOf(NewBooking.shape.location) })}
        />
      </Field>
      {failure !== null && (
        <p role="alert" className="text-red">
          {failure}
        </p>
      )}
      <Button type="submit" busy={isSubmitting && 'Booking'} className="w-full sm:w-auto sm:self-start">
        Submit
      </Button>
    </form>
  );
}

const closed = {
  Purchased: {
    title: 'You have bought it already',
    words: 'It stands among your orders as paid.',
  },
  Sold: { title: 'It is sold', words: 'Somebody else bought this laptop. Others may be as good.' },
  Gone: { title: 'It left the shop', words: 'Its seller took this laptop out of the shop.' },
} as const;

function Item({ item }: { item: WishlistItem }) {
  return (
    <div className="grid items-start gap-6 md:grid-cols-[16rem_1fr] lg:gap-10">
      <section aria-label="The laptop" className="flex gap-4 md:block">
        {item.image !== '' && (
          <Photo
            url={item.image}
            alt={item.productName}
            sizes="(width >= 48rem) 256px, 128px"
            eager
            className="aspect-4/3 w-32 shrink-0 rounded-xl object-cover md:w-full"
          />
        )}
        <div className="md:mt-4">
          <h2 className="text-xl">{item.productName}</h2>
          <p className="figures mt-1 font-semibold text-lg">{formatDollars(item.price)}</p>
        </div>
      </section>
      <section aria-label="Your booking" className="rounded-xl border border-line bg-surface p-5 sm:p-8">
        {item.state === 'Available' ? (
          <BookingForm item={item} />
        ) : (
          <EmptyState
            title={closed[item.state].title}
            action={
              item.state === 'Purchased' ? (
                <LinkButton to={linkTo('myOrders')}>Go to My Orders</LinkButton>
              ) : (
                <LinkButton to={linkTo('home')}>Find another laptop</LinkButton>
              )
            }
          >
            {closed[item.state].words}
          </EmptyState>
        )}
      </section>
    </div>
  );
}

export default function BuyPage() {
  const { id = '' } = useParams();
  const api = useApi();
  const item = useQuery({
    queryKey: ['wishlists', 'one', id],
    queryFn: ({ signal }) => api.call(readWishlistItem, { params: { _id: id }, signal }),
    refetchOnMount: 'always',
  });
  return (
    <>
      <Heading title="Book this laptop">
        Booking costs nothing. You pay afterwards, from My Orders; the first to pay owns the laptop.
      </Heading>
      {item.data !== undefined ? (
        <Item key={id} item={item.data} />
      ) : item.isError ? (
        <Missing what="this laptop" query={item} back="myWishlist" />
      ) : (
        <Loading what="the laptop">
          <div className="grid gap-6 md:grid-cols-[16rem_1fr] lg:gap-10">
            <Skeleton className="h-24 md:h-64" />
            <Skeleton className="h-96" />
          </div>
        </Loading>
      )}
    </>
  );
}
