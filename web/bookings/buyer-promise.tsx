import { href, Link } from 'react-router';
import { Icon } from '../ui/icon.tsx';

interface BuyerPromiseProps {
  /** The person whom the buyer does not pay, such as `Marta`. */
  seller: string;
  /** How many days after the hand-over a buyer can complain. */
  complaintDays: number;
}

/** What protects a buyer, in three lines, with the page that explains it. Where a laptop can be booked. */
export function BuyerPromise({ seller, complaintDays }: BuyerPromiseProps) {
  const lines = [
    `You pay the shop, not ${seller}`,
    'You look before you give the code',
    `${complaintDays} days to complain after that`,
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
