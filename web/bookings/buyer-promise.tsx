import { href, Link } from 'react-router';
import type { DeliveryOffer } from '#contract/listings/laptop-schemas.ts';
import { Icon } from '../ui/icon.tsx';

interface BuyerPromiseProps {
  /** The person whom the buyer does not pay, such as `Marta`. */
  seller: string;
  /** How the laptop comes to the buyer. */
  delivery: DeliveryOffer;
  /** How many days after the hand-over or the arrival a buyer can complain. */
  complaintDays: number;
}

const looks: Record<DeliveryOffer, string> = {
  meet: 'You look before you give the code',
  ship: 'You look at it at home before the seller is paid',
  both: 'You look before the seller is paid',
};

/** What protects a buyer, in three lines, with the page that explains it. Where a laptop can be booked. */
export function BuyerPromise({ seller, delivery, complaintDays }: BuyerPromiseProps) {
  const lines = [
    `You pay the shop, not ${seller}`,
    looks[delivery],
    delivery === 'meet'
      ? `${complaintDays} days to complain after that`
      : `${complaintDays} days to complain once you have it`,
  ];
  return (
    <div className="text-sm">
      <ul aria-label="What protects you" className="flex flex-col gap-1">
        {lines.map((line) => (
          <li key={line} className="flex gap-2">
            <Icon name="check" className="mt-0.5 size-4 shrink-0 text-success" />
            <span className="min-w-0 [overflow-wrap:anywhere]">{line}</span>
          </li>
        ))}
      </ul>
      <Link to={href('/how-it-works')} className="link mt-1 inline-block py-0.5 pl-6 font-semibold">
        How it works
      </Link>
    </div>
  );
}
