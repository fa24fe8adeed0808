import { formatDollars } from '#contract/scalars.ts';
import { Photo } from '../ui/photo.tsx';
import type { Column } from '../ui/table.tsx';

interface Pictured {
  image: string;
  name: string;
}

/** A laptop's photo, small, beside its name. */
export function PicturedName({ image, name }: Pictured) {
  const shape = 'h-15 w-20 shrink-0 rounded-lg object-cover';
  return (
    <span className="flex items-center gap-4">
      {image === '' ? (
        <span className={`bg-backdrop-photo ${shape}`} />
      ) : (
        // The name stands beside it; read twice it would only be in the way.
        <Photo url={image} alt="" sizes="80px" className={shape} />
      )}
      <span className="min-w-20 text-pretty font-semibold leading-snug wrap-anywhere">{name}</span>
    </span>
  );
}

/** The columns that every table of laptops begins with: photo and name, price. */
export function laptopColumns<Row>(laptopOf: (row: Row) => Pictured & { price: number }): Column<Row>[] {
  return [
    { heading: 'Laptop', lead: true, cell: (row) => <PicturedName {...laptopOf(row)} /> },
    { heading: 'Price', figures: true, cell: (row) => formatDollars(laptopOf(row).price) },
  ];
}
