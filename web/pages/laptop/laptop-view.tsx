import { lazy, Suspense } from 'react';
import { href, Link } from 'react-router';
import { formatAmount } from '#contract/platform/money.ts';
import { BuyerPromise } from '../../bookings/buyer-promise.tsx';
import { firstName } from '../../formats/first-name.ts';
import { PriceFacts } from '../../formats/price-facts.tsx';
import { ConditionChip, Definitions, LevelChip } from '../../laptops/chips.tsx';
import { Gallery } from '../../laptops/gallery.tsx';
import { LaptopTile, photoTransition } from '../../laptops/laptop-tile.tsx';
import { laptopTitleId } from '../../laptops/laptop-title-id.ts';
import { useRecordSeen } from '../../laptops/seen-laptops.ts';
import type { TileLaptop } from '../../laptops/tile-laptop.ts';
import { RequireSignInForParameters } from '../../layout/require-sign-in-for-parameters.tsx';
import { Icon } from '../../ui/icon.tsx';
import { BuyActions } from './buy-actions.tsx';
import { Details } from './details.tsx';
import { Report, ShareLink } from './share-and-report.tsx';
import type { ShownLaptop } from './shown-laptop.ts';

interface DeliveryProps {
  laptop: ShownLaptop;
  /** Within how many days after the payment a parcel is sent. */
  sendingDays: number;
}

/** How the buyer gets the laptop: the ways that its seller offers. */
function Delivery({ laptop, sendingDays }: DeliveryProps) {
  const { delivery, location, sellers_name } = laptop;
  const parcel = `Ships free from ${location}, handed to a carrier within ${sendingDays} days`;
  const meeting = `${delivery === 'both' ? 'Or meet' : 'Meet'} ${firstName(sellers_name)} in ${location}`;
  const ways = [
    ...(delivery === 'meet' ? [] : [['parcel', parcel] as const]),
    ...(delivery === 'ship' ? [] : [['pin', meeting] as const]),
  ];
  return (
    <ul className="flex flex-col gap-2">
      {ways.map(([icon, way]) => (
        <li key={icon} className="flex items-start gap-2">
          <Icon name={icon} className="mt-1 size-4.5 shrink-0 text-muted" />
          <span className="[overflow-wrap:anywhere]">{way}</span>
        </li>
      ))}
    </ul>
  );
}

/** Similar laptops for sale. Without any, a link to the brand's laptops. */
function Similar({ laptops, brand }: { laptops: TileLaptop[] | null; brand: string }) {
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

// Most laptops are for sale.
const Sold = lazy(() => import('./laptop-sold.tsx'));

/** The parameters of the URL that show something to signed-in people only. */
const signedInParameters = ['book', 'wish', 'report', 'phone'];

interface LaptopViewProps {
  laptop: ShownLaptop;
  similar: TileLaptop[] | null;
  /** The absolute URL of the page. */
  url: string;
  /** How many days after the hand-over a buyer can complain. */
  complaintDays: number;
  /** Within how many days after the payment a parcel is sent. */
  sendingDays: number;
}

/** A laptop with its photos, a box to buy it, details and similar laptops. */
export function LaptopView({ laptop, similar, url, complaintDays, sendingDays }: LaptopViewProps) {
  useRecordSeen(laptop);
  const titleId = laptopTitleId(laptop);
  return (
    <div className="page-width pt-4 pb-4 sm:pt-8 lg:pb-10">
      <RequireSignInForParameters parameters={signedInParameters} />
      <article
        aria-labelledby={titleId}
        className="grid gap-x-8 gap-y-5 lg:grid-cols-12 lg:grid-rows-[auto_1fr]"
      >
        <div className="min-w-0 lg:col-span-7" style={photoTransition}>
          <Gallery laptop={laptop} eager />
        </div>
        <div className="flex min-w-0 flex-col gap-5 self-start lg:sticky lg:top-22 lg:col-span-5 lg:col-start-8 lg:row-span-2 lg:row-start-1 lg:rounded-2xl lg:border lg:border-border lg:bg-surface lg:p-6 lg:shadow-card">
          <div>
            <h1 id={titleId} tabIndex={-1} className="text-2xl sm:text-4xl">
              {laptop.name}
            </h1>
            {laptop.factsLine !== '' && <p className="figures mt-2 text-muted">{laptop.factsLine}</p>}
          </div>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <ConditionChip condition={laptop.condition} />
            <LevelChip level={laptop.level} />
            <span className="min-w-0 text-muted">used {laptop.use_time}</span>
          </div>
          <div>
            <PriceFacts original={laptop.original_price} resale={laptop.resale_price} isSold={laptop.paid} />
            {!laptop.paid && (
              <p className="mt-2 text-muted text-sm">
                Lowest price of the last 30 days: {formatAmount(laptop.lowest_price)}
              </p>
            )}
          </div>
          {laptop.sold_at === undefined ? (
            <BuyActions laptop={laptop} />
          ) : (
            <Suspense>
              <Sold at={laptop.sold_at} />
            </Suspense>
          )}
          {!laptop.paid && (
            <BuyerPromise
              seller={firstName(laptop.sellers_name)}
              delivery={laptop.delivery}
              complaintDays={complaintDays}
            />
          )}
          {!laptop.paid && <Delivery laptop={laptop} sendingDays={sendingDays} />}
          <ShareLink name={laptop.name} url={url} />
        </div>
        <div className="min-w-0 lg:col-span-7">
          <Details laptop={laptop} />
          <Report laptop={laptop} />
        </div>
      </article>
      <Definitions html={laptop.definitions} />
      <Similar laptops={similar} brand={laptop.category_Id} />
    </div>
  );
}
