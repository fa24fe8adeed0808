import { href, Link } from 'react-router';
import { LaptopTile } from '../../laptops/laptop-tile.tsx';
import type { TileLaptop } from '../../laptops/tile-laptop.ts';

/** Laptops that the shop has inspected; nothing when none is for sale. */
export function Inspected({ laptops }: { laptops: readonly TileLaptop[] }) {
  if (laptops.length === 0) return null;
  return (
    <section aria-labelledby="inspected" className="page-width pt-16">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 id="inspected" className="text-3xl sm:text-4xl">
          Inspected by us
        </h2>
        <Link
          to={`${href('/laptops')}?level=inspected_hand&level=inspected_photos`}
          className="link inline-block py-0.5 font-semibold"
        >
          All inspected laptops
        </Link>
      </div>
      <ul className="mt-6 grid gap-3 sm:grid-cols-2 sm:gap-5 lg:grid-cols-4">
        {laptops.map((laptop) => (
          <li key={laptop._id} className="flex">
            <LaptopTile laptop={laptop} />
          </li>
        ))}
      </ul>
    </section>
  );
}
