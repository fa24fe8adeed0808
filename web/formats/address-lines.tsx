/** The lines of an address. */
export const AddressLines = ({ lines }: { lines: readonly string[] }) =>
  lines.map((line) => (
    <span key={line} className="block" dir="auto">
      {line}
    </span>
  ));
