/** The URL that calls a telephone number. An extension is dialled as in RFC 3966. */
export function telephoneUrl(number: string): string {
  // Countries have different words for an extension, and nothing else in a number has letters.
  const [main = '', extension] = number.split(/[^\d+() .-]+/).map((part) => part.replace(/[^+\d]/g, ''));
  return `tel:${main}${extension ? `;ext=${extension}` : ''}`;
}

/** A link that calls a telephone number. */
export function PhoneLink({ children: number }: { children: string }) {
  return (
    <a
      href={telephoneUrl(number)}
      className="figures inline-flex min-h-6 items-center text-link underline-offset-2 hover:underline"
    >
      {number}
    </a>
  );
}
