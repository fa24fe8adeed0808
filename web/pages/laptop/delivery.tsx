import { firstName } from '../../formats/first-name.ts';
import { Icon } from '../../ui/icon.tsx';
import type { ShownLaptop } from './shown-laptop.ts';

interface DeliveryProps {
  laptop: ShownLaptop;
  /** Within how many days after the payment a parcel is sent. */
  sendingDays: number;
}

/** How the buyer gets the laptop: the ways that its seller offers. */
export function Delivery({ laptop, sendingDays }: DeliveryProps) {
  const { delivery, location, sellers_name } = laptop;
  return (
    <ul className="flex flex-col gap-2">
      {delivery !== 'meet' && (
        <li className="flex items-start gap-2">
          <Icon name="parcel" className="mt-1 size-4.5 shrink-0 text-muted" />
          <span className="[overflow-wrap:anywhere]">
            Ships free from {location}, handed to a carrier within {sendingDays} days
          </span>
        </li>
      )}
      {delivery !== 'ship' && (
        <li className="flex items-start gap-2">
          <Icon name="pin" className="mt-1 size-4.5 shrink-0 text-muted" />
          <span className="[overflow-wrap:anywhere]">
            {delivery === 'both' ? 'Or meet' : 'Meet'} {firstName(sellers_name)} in {location}
          </span>
        </li>
      )}
    </ul>
  );
}
