import type { Booking } from '#contract/sales/bookings.ts';

/** Where a laptop is sent, for its buyer. */
export function ShipTo({ booking: { shipTo } }: { booking: Booking }) {
  if (shipTo === undefined) return 'Ships free';
  return (
    <span className="flex min-w-20 flex-col items-end text-right wrap-anywhere @2xl:items-start @2xl:text-left">
      {shipTo.lines.map((line) => (
        <span key={line} dir="auto">
          {line}
        </span>
      ))}
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
      to be sent to{' '}
      {shipTo.lines.map((line) => (
        <span key={line} className="block" dir="auto">
          {line}
        </span>
      ))}
    </span>
  );
}
