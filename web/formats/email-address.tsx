import { Badge } from '../ui/badge.tsx';

/** An e-mail address that wraps after its @ first. */
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

/** Marks an address that is not verified: somebody else may have registered it. */
export function UnverifiedEmail() {
  return (
    <span className="mt-1 block">
      <Badge tone="warm">Address not proven</Badge>
    </span>
  );
}
