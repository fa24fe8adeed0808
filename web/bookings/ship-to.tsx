import type { Booking } from '#contract/sales/bookings.ts';
import { AddressLines } from '../formats/address-lines.tsx';

/** Where a laptop is sent, for its buyer. */
export function ShipTo({ booking: { shipTo } }: { booking: Booking }) {
  if (shipTo === undefined) return 'Ships free';
  return (
    <span className="flex min-w-20 flex-col items-end text-right wrap-anywhere @2xl:items-start @2xl:text-left">
      <AddressLines lines={shipTo.lines} />
    </span>
  );
}

/** That a laptop is to be sent, and where to, for its seller. The address is shown once it is paid. */
export function ToShip({ booking: { shipTo, order } }: { booking: Booking }) {
  if (shipTo === undefined)
    return (
      <span className="block text-sm">{order === undefined ? 'to be sent by parcel' : 'by parcel'}</span>
    );
  return (
    <span className="block text-sm wrap-anywhere">
      to be sent to <AddressLines lines={shipTo.lines} />
    </span>
  );
}
