import type { Booking } from '#contract/sales/bookings.ts';
import { chooseBookingDelivery } from '#contract/sales/shipping.ts';
import {
  DeliveryFields,
  type DeliveryValues,
  fromAddress,
  shownAt,
  toDelivery,
} from '../../../bookings/delivery-fields.tsx';
import { AddressLines } from '../../../formats/address-lines.tsx';
import { FormDialog } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { useSettings } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';

function ChangeDelivery({ booking }: { booking: Booking }) {
  const { _id, delivery, location = '', shipTo, deliveries = [] } = booking;
  const { shippingCountries } = useSettings();
  const [only = 'meet', other] = deliveries;
  const laptop = {
    delivery: other === undefined ? only : ('both' as const),
    ships_from: shipTo?.address.country ?? booking.shipsFrom ?? shippingCountries[0],
  };
  const form = useWriteForm(chooseBookingDelivery, {
    defaultValues: { delivery, location, ...fromAddress(shipTo?.address) } satisfies DeliveryValues,
    input: (values: DeliveryValues) => ({ params: { _id }, body: toDelivery(values, laptop) }),
    rename: shownAt,
    done: 'Your choice is saved.',
  });
  return (
    <>
      <Button variant="secondary" size="small" className="mt-2" onClick={form.dialog.open}>
        Change
      </Button>
      <FormDialog
        form={form}
        title="How you get it"
        description={booking.productName}
        submit="Save"
        busy="Saving"
      >
        <DeliveryFields field={form.field} laptop={laptop} chosen={form.watch('delivery')} />
      </FormDialog>
    </>
  );
}

/** Where the buyer gets the laptop, which can be changed until it is paid. */
export function DeliveryEntry({ booking }: { booking: Booking }) {
  const { delivery, meeting, location, shipTo, state } = booking;
  return (
    <>
      {delivery === 'meet' ? (
        (meeting?.place ?? location)
      ) : (
        <AddressLines lines={shipTo?.lines ?? ['Not chosen any more']} />
      )}
      {state === 'Unpaid' && (
        <span className="block">
          <ChangeDelivery booking={booking} />
        </span>
      )}
    </>
  );
}
