import { encode } from 'uqr';

/** A QR code, dark on light in either theme, as cameras expect it. @param props.className its size */
export function QrCode({ text, label, className }: { text: string; label: string; className: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 2 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      // These two colours are the same in both themes.
      className={`rounded-lg bg-photo text-on-primary ${className}`}
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}
