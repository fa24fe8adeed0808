import type { Laptop } from '#contract/listings/catalogue.ts';
import { PhoneLink } from '../formats/phone-link.tsx';

const clock = new Intl.DateTimeFormat('en-US', { timeStyle: 'short' });

/** A seller's telephone number; hidden from a reader who has seen those of many sellers. Nothing for visitors. */
export function SellerNumber({
  laptop: { mobile_number, contact_hidden_until },
}: {
  laptop: Pick<Laptop, 'mobile_number' | 'contact_hidden_until'>;
}) {
  if (mobile_number !== undefined) return <PhoneLink>{mobile_number}</PhoneLink>;
  if (contact_hidden_until === undefined) return null;
  return (
    <span className="text-muted">
      Hidden until{' '}
      <time dateTime={contact_hidden_until} className="figures whitespace-nowrap">
        {clock.format(new Date(contact_hidden_until))}
      </time>
      : you have opened many sellers’ numbers.
    </span>
  );
}
