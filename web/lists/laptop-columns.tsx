import { formatDollars } from '#contract/scalars.ts';
import { Photo } from '../ui/photo.tsx';
import type { Column } from '../ui/table.tsx';

interface Pictured {
  image: string;
  name: string;
}

/** A thumbnail and the name of a laptop. */
function PicturedName({ image, name }: Pictured) {
  const shape = 'h-15 w-20 shrink-0 rounded-lg object-cover';
  return (
    <span className="flex items-center gap-4">
      {image === '' ? (
        <span className={`bg-backdrop-photo ${shape}`} />
      ) : (
        // Empty: the name is beside it.
        <Photo url={image} alt="" sizes="80px" className={shape} />
      )}
      <span className="min-w-20 text-pretty font-semibold leading-snug wrap-anywhere">{name}</span>
    </span>
  );
}

/** The first columns of every table of laptops: photo with name, and price. */
export function laptopColumns<Row>(laptopOf: (row: Row) => Pictured & { price: number }): Column<Row>[] {
  return [
    { heading: 'Laptop', lead: true, cell: (row) => <PicturedName {...laptopOf(row)} /> },
    { heading: 'Price', figures: true, cell: (row) => formatDollars(laptopOf(row).price) },
  ];
}
