import { encode } from 'uqr';

/** A QR code, black on white within a margin of four modules (ISO/IEC 18004), as cameras expect it. @param props.className its size */
export function QrCode({ text, label, className }: { text: string; label: string; className: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      // In both themes, and whatever the colours of the shop.
      className={`rounded-lg bg-pixel-white text-pixel-black ${className}`}
    >
      <path d={path} fill="currentColor" />
    </svg>
  );
}
