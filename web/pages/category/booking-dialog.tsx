import { useRef } from 'react';
import { useForm } from 'react-hook-form';
import { NewBooking } from '#contract/bookings.ts';
import type { Laptop } from '#contract/catalogue.ts';
import { Problem } from '#contract/client.ts';
import { formatDollars } from '#contract/scalars.ts';
import { type MeetingDetails, meetingDraft } from '../../bookings/meeting-details.ts';
import { ruleOf } from '../../forms/schema-rule.ts';
import { usePerson } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import { useMounted } from '../../ui/use-mounted.ts';
import { laptopTitleId } from './laptop-title-id.ts';
import type { Purchase } from './use-purchase.ts';

interface BookingFormProps {
  laptop: Laptop;
  purchase: Purchase;
  /** Called when this dialog, if it is still open, has nothing more to do; whether the laptop was booked. */
  onDone: (booked: boolean) => void;
}

function BookingForm({ laptop, purchase, onDone }: BookingFormProps) {
  const person = usePerson();
  const { register, handleSubmit, formState, getValues, setError } = useForm<MeetingDetails>({
    defaultValues: meetingDraft.of(person.email),
  });
  const { errors, isSubmitting } = formState;
  const isMounted = useMounted();
  const keepDraft = () => meetingDraft.keep(person.email, getValues());

  const submit = handleSubmit(async (details) => {
    keepDraft();
    try {
      const answer = await purchase.book(laptop, details);
      if (answer.acknowledged) toast.success('Booking Successful. Please check your dashboard for payment.');
      else toast.error(answer.message);
      if (isMounted()) onDone(answer.acknowledged);
    } catch (error) {
      const fields = error instanceof Problem && isMounted() ? error.errors : {};
      if (fields.location !== undefined) setError('location', { message: fields.location });
      if (fields.phone !== undefined) setError('phone', { message: fields.phone }, { shouldFocus: true });
      if (fields.phone !== undefined || fields.location !== undefined) return;
      toast.error(error instanceof Error ? error.message : 'Something went wrong. Please try again.');
      if (isMounted()) onDone(false);
    }
  });

  return (
    <form onSubmit={submit} onChange={keepDraft} noValidate className="flex flex-col gap-4">
      {/* Below one another: beside one another, a long name or address would be cut. */}
      <Field label="Name">
        <TextInput readOnly value={person.name} autoComplete="name" />
      </Field>
      <Field label="Email">
        <TextInput readOnly type="email" value={person.email} autoComplete="email" />
      </Field>
      <Field label="Phone Number" error={errors.phone?.message} hint="Only the seller sees it.">
        <TextInput
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          {...register('phone', { validate: ruleOf(NewBooking.shape.phone) })}
        />
      </Field>
      <Field
        label="Meeting Location"
        error={errors.location?.message}
        hint="Where you want to meet the seller, for example a café or a station."
      >
        <TextInput
          autoComplete="street-address"
          {...register('location', { validate: ruleOf(NewBooking.shape.location) })}
        />
      </Field>
      <Button type="submit" busy={isSubmitting && 'Booking'}>
        Submit
      </Button>
    </form>
  );
}

interface BookingDialogProps {
  laptop: Laptop;
  open: boolean;
  purchase: Purchase;
  onClose: () => void;
}

/** The booking form over the page: the laptop and its price, who books, and where to meet. */
export function BookingDialog({ laptop, open, purchase, onClose }: BookingDialogProps) {
  const booked = useRef(false);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={laptop.name}
      // Book now is disabled once it has worked, and cannot take the focus back.
      finalFocus={() => (booked.current ? document.getElementById(laptopTitleId(laptop)) : true)}
      description={
        <span className="figures font-bold font-display text-2xl text-ink">
          {formatDollars(laptop.resale_price)}
        </span>
      }
    >
      <BookingForm
        laptop={laptop}
        purchase={purchase}
        onDone={(done) => {
          booked.current = done;
          onClose();
        }}
      />
    </Dialog>
  );
}
