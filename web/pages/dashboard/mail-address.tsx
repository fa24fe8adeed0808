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
