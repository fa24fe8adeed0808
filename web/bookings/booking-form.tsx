import { useState } from 'react';
import * as z from 'zod/mini';
import { book } from '#contract/sales/bookings.ts';
import { createDraft } from '../forms/draft.ts';
import { RequestForm } from '../forms/request-form.tsx';
import { useWriteForm } from '../forms/use-write-form.ts';
import { usePerson } from '../session/session.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import {
  DeliveryFields,
  type DeliveryOfLaptop,
  DeliveryValues,
  deliveryField,
  toDelivery,
} from './delivery-fields.tsx';

/** What the buyer types, which the next booking form begins with. */
const Meeting = z.extend(DeliveryValues, { phone: z._default(z.string(), '') });
type Meeting = z.output<typeof Meeting>;
const meeting = Meeting.parse({});

/** A laptop as booking and wishing need it. */
export interface LaptopToBuy extends DeliveryOfLaptop {
  _id: string;
  name: string;
  /** In dollars. */
  resale_price: number;
  image: string;
}

interface BookingFormProps {
  laptop: LaptopToBuy;
  /** The laptop or the wishlist item, whose id `laptop` has. */
  successMessage: string;
  /** Whether an error closes the form. Other errors are shown under the fields and can be tried again. */
  closesOn: (error: unknown) => boolean;
  /** Called when the form is done, unless it was unmounted before the response arrived. */
  onClose: (isBooked: boolean) => Promise<void> | void;
}

/** The booking form of the category page's dialog and of the wishlist's Buy page. */
export function BookingForm({ laptop, successMessage, closesOn, onClose }: BookingFormProps) {
  const { name, email } = usePerson();
  const [draft] = useState(() => createDraft(`coomercioBooking:${email}`, Meeting));
  const { _id: productCode, name: productName, resale_price: price, image } = laptop;
  const form = useWriteForm(book, {
    defaultValues: meeting,
    draft: { ...draft, discard: () => undefined },
    input: (values: Meeting) => ({
      body: {
        ...{ productName, price, buyerName: name, email, image, productCode, phone: values.phone },
        ...toDelivery(values, laptop),
      },
    }),
    fieldOf: (path) => (path === 'phone' ? path : deliveryField(path)),
    done: successMessage,
    failed: `${productName} was not booked`,
    closesOn,
    onClose,
  });
  const { errors, register, watch } = form;
  return (
    <RequestForm
      form={form}
      method="post"
      submit="Submit"
      busy="Booking"
      buttonClass="w-full sm:w-auto sm:self-start"
    >
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
      <DeliveryFields register={register} errors={errors} laptop={laptop} chosen={watch('delivery')} />
    </RequestForm>
  );
}
