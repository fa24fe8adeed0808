/** A link that calls a telephone number. An extension is dialled as in RFC 3966. */
export function PhoneLink({ children: number }: { children: string }) {
  // Countries have different words for an extension, and nothing else in a number has letters.
  const [main = '', extension] = number.split(/[^\d+() .-]+/).map((part) => part.replace(/[^+\d]/g, ''));
  return (
    <a
      href={`tel:${main}${extension ? `;ext=${extension}` : ''}`}
      className="figures inline-flex min-h-6 items-center text-link underline-offset-2 hover:underline"
    >
      {number}
    </a>
  );
}
