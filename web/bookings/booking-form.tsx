import * as z from 'zod/mini';
import { deadlineDays } from '#contract/money/order-states.ts';
import { book } from '#contract/sales/bookings.ts';
import { TermsNote } from '../content/terms-note.tsx';
import { firstName } from '../formats/first-name.ts';
import { useDraft } from '../forms/draft.ts';
import { RequestForm } from '../forms/request-form.tsx';
import { useWriteForm } from '../forms/use-write-form.ts';
import { DRAFTS_KEY } from '../session/forget-private-data.ts';
import { usePerson } from '../session/session.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { BuyerPromise } from './buyer-promise.tsx';
import {
  addressFields,
  chosenWay,
  DeliveryFields,
  type DeliveryOfLaptop,
  DeliveryValues,
  fromAddressIn,
  shownAt,
  toDelivery,
} from './delivery-fields.tsx';
import { useLastBooking } from './use-last-booking.ts';

/** What the buyer types. */
const Meeting = z.extend(DeliveryValues, { phone: z._default(z.string(), '') });
type Meeting = z.output<typeof Meeting>;
const meeting = Meeting.parse({});
/** The fields that are filled as in the latest booking. */
const lastFields = ['phone', 'location', ...addressFields] as const;

/** A laptop as booking and wishing need it. */
export interface LaptopToBuy extends DeliveryOfLaptop {
  _id: string;
  name: string;
  /** In the shop’s currency. */
  resale_price: number;
  image: string;
  /** Missing for an item of the wishlist. */
  sellers_name?: string;
}

/** What a booking is, in two sentences. */
export function BookingNote({ seller = 'The seller' }: { /** The first name. */ seller?: string }) {
  return (
    <p className="text-foreground">
      Booking is free and does not reserve the laptop: the first to pay gets it. {seller} sees your phone
      number.
    </p>
  );
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
  const draft = useDraft(`${DRAFTS_KEY}${email}:booking`, Meeting);
  const { _id: productCode, name: productName, resale_price: price, image } = laptop;
  const seller = laptop.sellers_name === undefined ? null : firstName(laptop.sellers_name);
  const form = useWriteForm(book, {
    defaultValues: meeting,
    // What was typed for one laptop serves for the next.
    draft: { ...draft, discard: () => undefined },
    input: (values: Meeting) => ({
      body: {
        ...{
          productName,
          price,
          buyerName: name,
          email,
          image,
          productCode,
          phone: values.phone,
        },
        ...toDelivery(values, laptop),
      },
    }),
    rename: shownAt,
    done: successMessage,
    failureTitle: `${productName} was not booked`,
    closesOn,
    onClose,
  });
  const { field, getValues, setValue, watch } = form;
  const chosen = watch('delivery');
  useLastBooking(({ phone = '', location = '', shipTo }) => {
    const last = { phone, location, ...fromAddressIn(laptop.ships_from, shipTo?.address) };
    for (const name of lastFields) {
      // What was typed meanwhile, or is kept of an unsent form, stays.
      if (getValues(name) === '') setValue(name, last[name]);
    }
  });
  return (
    <>
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
        <Field label="Phone Number" {...field('phone')}>
          <TextInput type="tel" inputMode="tel" autoComplete="tel" required />
        </Field>
        <DeliveryFields field={field} laptop={laptop} chosen={chosen} />
        <TermsNote by="booking" />
      </RequestForm>
      <div className="mt-5">
        <BuyerPromise
          seller={seller ?? 'the seller'}
          delivery={chosenWay(laptop, chosen)}
          complaintDays={deadlineDays('released')}
        />
      </div>
    </>
  );
}
