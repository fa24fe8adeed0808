import { Link } from 'react-router';
import { formatAmount } from '#contract/platform/money.ts';
import { laptopUrl } from '../../laptops/laptop-url.ts';
import type { FilmedLaptop } from './read-filmed-laptop.ts';

/** The name and price of the laptop in the hero video, with a link to its page. */
export function FilmedLaptopLink({ laptop }: { laptop: FilmedLaptop }) {
  return (
    <Link
      to={laptopUrl(laptop)}
      prefetch="intent"
      className="group absolute bottom-3 left-3 max-w-[calc(100%-88px)] rounded-xl border border-border bg-surface px-3.5 py-2 text-sm hover:border-border-strong"
    >
      <span className="sr-only">In the film: </span>
      <span className="block font-semibold [overflow-wrap:anywhere] group-hover:underline">
        {laptop.name}
      </span>
      <span className="figures text-muted">{formatAmount(laptop.resale_price)}, for sale now</span>
    </Link>
  );
}
