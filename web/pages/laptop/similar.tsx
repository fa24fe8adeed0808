import { href, Link } from 'react-router';
import { LaptopTile } from '../../laptops/laptop-tile.tsx';
import type { TileLaptop } from '../../laptops/tile-laptop.ts';

/** Similar laptops for sale. Without any, a link to the brand's laptops. */
export function Similar({ laptops, brand }: { laptops: TileLaptop[] | null; brand: string }) {
  return (
    <section id="similar" aria-labelledby="similar-title" className="mt-14">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h2 id="similar-title" className="text-2xl sm:text-3xl">
          Similar laptops
        </h2>
        <Link
          to={`${href('/laptops')}?brand=${encodeURIComponent(brand)}`}
          className="link inline-block py-0.5 font-semibold"
        >
          All {brand} laptops
        </Link>
      </div>
      {laptops !== null && laptops.length > 0 ? (
        <ul className="mt-5 grid gap-3 sm:grid-cols-2 sm:gap-5 lg:grid-cols-4">
          {laptops.map((laptop) => (
            <li key={laptop._id} className="flex">
              <LaptopTile laptop={laptop} movesPhoto={false} />
            </li>
          ))}
        </ul>
      ) : (
        <p className="mt-3 text-muted">
          {laptops === null ? 'They could not be loaded right now.' : 'None is for sale right now.'}
        </p>
      )}
    </section>
  );
}
