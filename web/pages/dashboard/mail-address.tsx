/** An e-mail address that, where it must be broken, breaks behind its @ first. */
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
