import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatAmount } from '#contract/platform/scalars.ts';
import { laptopUrl } from '../laptops/laptop-url.ts';
import { Photo } from '../ui/photo.tsx';
import type { Column } from '../ui/table.tsx';

interface Pictured {
  /** The id of the laptop. */
  _id: string;
  image: string;
  name: string;
  /** A line under the name. */
  details?: string | undefined;
}

/** The colour of a laptop's state. */
export const laptopStateTones = {
  Available: 'neutral',
  Sold: 'good',
  'Taken down': 'bad',
  Withdrawn: 'neutral',
  Blocked: 'bad',
} as const;

/** A small photo in a list, beside the name of what it shows. */
export function Thumbnail({ image }: { image: string }) {
  const shape = 'h-[60px] w-[80px] shrink-0 rounded-lg object-cover';
  if (image === '') return <span className={`bg-photo ${shape}`} />;
  return <Photo url={image} alt="" sizes="80px" className={shape} />;
}

/** A thumbnail and the name of a laptop, which links to its page or another. */
export function PicturedName({ image, name, details = '', to }: Omit<Pictured, '_id'> & { to: string }) {
  return (
    <span className="relative flex items-center gap-4">
      <Thumbnail image={image} />
      <span className="min-w-20">
        <Link
          to={to}
          // Its area covers the photo.
          className="text-pretty font-semibold leading-snug wrap-anywhere after:absolute after:inset-0 hover:underline"
        >
          {name}
        </Link>
        {details !== '' && <span className="figures mt-0.5 block text-muted text-sm">{details}</span>}
      </span>
    </span>
  );
}

/**
 * The first columns of every table of laptops: photo with name, and price.
 * @param showPrice shows the price of a row with more than its amount
 */
export function laptopColumns<Row>(
  laptopOf: (row: Row) => Pictured & { price: number },
  showPrice = (row: Row): ReactNode => formatAmount(laptopOf(row).price),
): Column<Row>[] {
  return [
    {
      heading: 'Laptop',
      lead: true,
      cell: (row) => <PicturedName {...laptopOf(row)} to={laptopUrl(laptopOf(row))} />,
    },
    { heading: 'Price', figures: true, cell: showPrice },
  ];
}
