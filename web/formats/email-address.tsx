import { Badge } from '../ui/badge.tsx';

/** An email address that wraps after its @ first. */
export function EmailAddress({ children: address }: { children: string }) {
  const at = address.lastIndexOf('@') + 1;
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  );
}

/** A link that writes an email to the address. */
export function EmailLink({ children: address }: { children: string }) {
  return (
    <a
      href={`mailto:${encodeURIComponent(address).replace('%40', '@')}`}
      className="inline-flex min-h-6 items-center text-link underline-offset-2 hover:underline"
    >
      <EmailAddress>{address}</EmailAddress>
    </a>
  );
}

/** Marks an address that is not verified: somebody else may have registered it. */
export function UnverifiedEmail() {
  return (
    <span className="mt-1 block">
      <Badge tone="warm">Address not confirmed</Badge>
    </span>
  );
}
