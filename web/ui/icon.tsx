import type { SVGProps } from 'react';

/** The path data of each icon, in a grid of 20 × 20. */
const icons = {
  arrowLeft: 'm12.5 4-6 6 6 6',
  arrowRight: 'm7.5 4 6 6-6 6',
  bell: 'M10 2.5a5 5 0 0 0-5 5c0 4-1.5 5.5-2 6.5h14c-.5-1-2-2.5-2-6.5a5 5 0 0 0-5-5zM8 16.5a2 2 0 0 0 4 0',
  camera: 'M3.3 7.1h3l1.2-2.1h5l1.2 2.1h3v8.3H3.3zM10 13.8a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4z',
  check: 'm4 10.5 4 4 8-9',
  chevronDown: 'm5 8 5 5 5-5',
  close: 'm5 5 10 10M15 5 5 15',
  filters: 'M3 6h14M6 10h8M8.5 14h3',
  flag: 'M4.5 18V3M4.5 3.5h9.7l-1.9 3.4 1.9 3.6H4.5',
  heart:
    'M10 16.5S3 12.4 3 7.6A3.6 3.6 0 0 1 6.7 4c1.5 0 2.6.8 3.3 2 .7-1.2 1.8-2 3.3-2A3.6 3.6 0 0 1 17 7.6c0 4.8-7 8.9-7 8.9z',
  menu: 'M3.3 5.8h13.4M3.3 10h13.4M3.3 14.2h13.4',
  more: 'M4 10h.01M10 10h.01M16 10h.01',
  parcel: 'M3 6.3 10 3l7 3.3v7.4L10 17l-7-3.3zM3 6.3l7 3.3 7-3.3M10 9.6V17',
  pause: 'M5 4h3.5v12H5zm6.5 0H15v12h-3.5z',
  person: 'M10 10.4a3.3 3.3 0 1 0 0-6.6 3.3 3.3 0 0 0 0 6.6zM3.7 16.7a6.3 6.3 0 0 1 12.6 0',
  pin: 'M10 18s6-5.2 6-10A6 6 0 1 0 4 8c0 4.8 6 10 6 10zM10 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z',
  play: 'M6 4l10 6-10 6z',
  remove: 'M4 5.5h12M8 5.5V3.5h4v2M6 5.5l.7 11h6.6l.7-11',
  search: 'M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M13 13l4 4',
  share: 'M10 12.5V2.5M6.5 5.5 10 2l3.5 3.5M5 9H3.5v8.5h13V9H15',
  star: 'm10 2 2.4 5 5.4.7-4 3.8 1 5.4-4.8-2.6-4.8 2.6 1-5.4-4-3.8 5.4-.7z',
};

export type IconName = keyof typeof icons;

interface IconProps extends SVGProps<SVGSVGElement> {
  name: IconName;
}

/** A decorative icon in outline, of 20 × 20 px unless `className` has a size. */
export function Icon({ name, className = 'size-5', ...rest }: IconProps) {
  return (
    <svg
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={className}
      {...rest}
    >
      <path d={icons[name]} />
    </svg>
  );
}
