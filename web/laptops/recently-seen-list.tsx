import { Link } from 'react-router';
import { SmallButton } from '../ui/button.tsx';
import { Photo } from '../ui/photo.tsx';
import { moveFocusTo } from '../ui/route-announcer.tsx';
import { laptopUrl } from './laptop-url.ts';
import { clearRecentlySeen } from './seen-laptops.ts';
import type { StoredLaptop } from './stored-laptops.ts';

/** Links to the recently seen laptops, and a button to forget them. */
export function RecentlySeenList({ laptops }: { laptops: readonly StoredLaptop[] }) {
  return (
    <section aria-labelledby="recently-seen" className="mt-16">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id="recently-seen" className="text-2xl">
          Recently seen
        </h2>
        <p className="flex items-center gap-2 text-muted text-sm">
          Stored in this browser only.
          <SmallButton
            variant="quiet"
            onClick={() => {
              clearRecentlySeen();
              // The button is gone by then.
              moveFocusTo('');
            }}
          >
            Clear
          </SmallButton>
        </p>
      </div>
      <ul className="mt-4 grid snap-x auto-cols-[minmax(8.5rem,1fr)] grid-flow-col gap-4 overflow-x-auto p-1 pb-3 lg:grid-cols-8">
        {laptops.map((laptop) => (
          <li key={laptop._id} className="snap-start">
            <Link to={laptopUrl(laptop)} viewTransition className="group block rounded-lg">
              <Photo
                url={laptop.image}
                alt=""
                sizes="10rem"
                className="aspect-[4/3] w-full rounded-lg object-cover"
              />
              <span className="mt-2 line-clamp-2 text-sm group-hover:underline">{laptop.name}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
