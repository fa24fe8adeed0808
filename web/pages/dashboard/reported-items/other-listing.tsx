import { Link } from 'react-router';
import type { ReportedItem } from '#contract/listings/reports.ts';
import { laptopUrl } from '../../../laptops/laptop-url.ts';
import { Photo } from '../../../ui/photo.tsx';

type ShopReport = Extract<ReportedItem['reports'][number], { by: 'shop' }>;

const states = {
  Available: 'for sale',
  Sold: 'sold',
  'Taken down': 'taken down',
  Withdrawn: 'withdrawn',
  Blocked: 'not for sale now',
};

const figureClass = 'min-w-0 text-muted text-sm';

/** The listing that the shop's report compares with, and the photo that both show. */
export function OtherListing({ report: { otherLaptop, photos } }: { report: ShopReport }) {
  return (
    <span className="mt-2 block">
      Other listing:{' '}
      <Link to={laptopUrl(otherLaptop)} className="font-semibold underline">
        {otherLaptop.name}
      </Link>
      , {states[otherLaptop.state]}
      {photos !== undefined && (
        <span className="mt-2 grid max-w-80 grid-cols-2 gap-3">
          <span className={figureClass}>
            <Photo
              url={photos.reported}
              alt=""
              sizes="160px"
              className="aspect-4/3 w-full rounded-lg object-cover"
            />
            This listing
          </span>
          <span className={figureClass}>
            <Photo
              url={photos.other}
              alt=""
              sizes="160px"
              className="aspect-4/3 w-full rounded-lg object-cover"
            />
            The other listing
          </span>
        </span>
      )}
    </span>
  );
}
