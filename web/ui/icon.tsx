import type { SVGProps } from 'react';

interface IconProps extends Omit<SVGProps<SVGPathElement>, 'viewBox' | 'width' | 'height'> {
  /** The path data. */
  d: string;
  /** The classes of the svg element, for size and position. */
  className: string;
  /** The width and height of the coordinate system of `d`. */
  grid?: number;
}

/** A decorative icon of one path, by default in outline. Other properties go to the path. */
export function Icon({ className, grid = 20, ...path }: IconProps) {
  return (
    <svg viewBox={`0 0 ${grid} ${grid}`} className={className} aria-hidden="true">
      <path fill="none" stroke="currentColor" strokeWidth="1.75" {...path} />
    </svg>
  );
}

/** A cross, for buttons that close. */
export function CloseIcon() {
  return <Icon d="m5 5 10 10M15 5 5 15" className="size-5" />;
}
