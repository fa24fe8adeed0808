import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { applyProblem } from '../forms/apply-problem.ts';
import { useFailureToast } from '../forms/use-failure-toast.ts';
import { errorMessage } from '../requests/error-message.ts';
import { usePerson } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { toast } from '../ui/toast.tsx';
import { useMounted } from '../ui/use-mounted.ts';
import { type BookingResult, MeetingDetails, meetingDraft } from './use-book-laptop.ts';

interface BookingFormProps {
  laptopName: string;
  /** Sends the booking. @throws Problem */
  book: (details: MeetingDetails) => Promise<BookingResult>;
  successMessage: string;
  /** Whether an error closes the form. Other errors are shown under the fields and can be tried again. */
  closesOn: (error: unknown) => boolean;
  /** Called when the form is done, unless it was unmounted before the response arrived. */
  onClose: (isBooked: boolean) => Promise<void> | void;
}

/** The booking form of the category page's dialog and of the wishlist's Buy page. */
export function BookingForm({ laptopName, book, successMessage, closesOn, onClose }: BookingFormProps) {
  const { name, email } = usePerson();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    defaultValues: meetingDraft.get(email),
    resolver: standardSchemaResolver(MeetingDetails),
  });
  const { register, handleSubmit, getValues, formState } = form;
  const { errors, isSubmitting } = formState;
  const isMounted = useMounted();
  const toastFailure = useFailureToast();
  const saveDraft = () => meetingDraft.set(email, getValues());

  async function fail(error: unknown) {
    if (!isMounted()) return toastFailure(`${laptopName} was not booked: ${errorMessage(error)}`);
    const message = applyProblem(form, error);
    if (message === null) return;
    if (!closesOn(error)) return setFailure(message);
    toast.error(message);
    await onClose(false);
  }

  const submit = handleSubmit(async (details) => {
    saveDraft();
    setFailure(null);
    try {
      const { acknowledged, message } = await book(details);
      if (acknowledged) toast.success(successMessage);
      else toast.error(message);
      if (isMounted()) await onClose(acknowledged);
    } catch (error) {
      await fail(error);
    }
  });

  return (
    <form method="post" onSubmit={submit} onChange={saveDraft} noValidate className="flex flex-col gap-5">
      {/* One field per row: in two columns a long name or address would be cut off. */}
      <Field label="Name">
        <TextInput readOnly value={name} autoComplete="name" />
      </Field>
      <Field label="Email">
        <TextInput readOnly type="email" value={email} autoComplete="email" />
      </Field>
      <Field label="Phone Number" error={errors.phone?.message} hint="Only the seller sees it.">
        <TextInput type="tel" inputMode="tel" autoComplete="tel" required {...register('phone')} />
      </Field>
      <Field
        label="Meeting Location"
        error={errors.location?.message}
        hint="Where you want to meet the seller, for example a café or a station."
      >
        <TextInput autoComplete="off" required {...register('location')} />
      </Field>
      {failure !== null && (
        <p role="alert" className="text-danger">
          {failure}
        </p>
      )}
      <Button type="submit" busy={isSubmitting && 'Booking'} className="w-full sm:w-auto sm:self-start">
        Submit
      </Button>
    </form>
  );
}
