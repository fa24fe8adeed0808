import { EmailAddress } from '../../../formats/email-address.tsx';

/** A seller's name and e-mail address, in a table. */
export function Seller({ name, email }: { name: string; email: string }) {
  return (
    <span className="block min-w-36 wrap-anywhere">
      <span className="font-semibold">{name}</span>{' '}
      <span className="block text-muted text-sm">
        <EmailAddress>{email}</EmailAddress>
      </span>
    </span>
  );
}
