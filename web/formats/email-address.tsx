import { Badge } from '../ui/badge.tsx';

/** An e-mail address, alone or at the end of a sentence, that breaks behind its @ first where it must be broken. */
export function MailAddress({ children: address }: { children: string }) {
  const at = address.lastIndexOf('@') + 1;
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  );
}

/** Says that nobody has proven to receive mail at the address above: a stranger may have registered it. */
export function UnprovenAddress() {
  return (
    <span className="mt-1 block">
      <Badge tone="warm">Address not proven</Badge>
    </span>
  );
}
