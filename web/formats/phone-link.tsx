/** A link that calls a telephone number. */
export function PhoneLink({ children: number }: { children: string }) {
  return (
    <a
      href={`tel:${number.replace(/[^+\d]/g, '')}`}
      className="figures inline-flex min-h-6 items-center text-aubergine underline-offset-2 hover:underline"
    >
      {number}
    </a>
  );
}
