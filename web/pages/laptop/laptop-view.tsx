import { lazy, Suspense } from 'react';
import { formatAmount } from '#contract/platform/money.ts';
import { BuyerPromise } from '../../bookings/buyer-promise.tsx';
import { firstName } from '../../formats/first-name.ts';
import { PriceFacts } from '../../formats/price-facts.tsx';
import { ConditionChip } from '../../laptops/condition-chip.tsx';
import { Definitions } from '../../laptops/definition-chip.tsx';
import { Gallery } from '../../laptops/gallery.tsx';
import { photoTransition } from '../../laptops/laptop-tile.tsx';
import { laptopTitleId } from '../../laptops/laptop-title-id.ts';
import { LevelChip } from '../../laptops/level-chip.tsx';
import { useRecordSeen } from '../../laptops/seen-laptops.ts';
import type { TileLaptop } from '../../laptops/tile-laptop.ts';
import { RequireSignInForDialog } from '../../layout/require-sign-in-for-dialog.tsx';
import { BuyActions } from './buy-actions.tsx';
import { Delivery } from './delivery.tsx';
import { Details } from './details.tsx';
import { Report, ShareLink } from './share-and-report.tsx';
import type { ShownLaptop } from './shown-laptop.ts';
import { Similar } from './similar.tsx';

// Most laptops are for sale.
const Sold = lazy(() => import('./sold.tsx').then((loaded) => ({ default: loaded.Sold })));

/** The parameters of the URL that open a dialog for signed-in people. */
const dialogParameters = ['book', 'wish', 'report'];

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
      <RequireSignInForDialog parameters={dialogParameters} />
      <article
        aria-labelledby={titleId}
        className="grid gap-x-8 gap-y-5 lg:grid-cols-12 lg:grid-rows-[auto_1fr]"
      >
        <div className="min-w-0 lg:col-span-7" style={photoTransition}>
          <Gallery laptop={laptop} eager />
        </div>
        <div className="flex min-w-0 flex-col gap-5 self-start lg:sticky lg:top-22 lg:col-span-5 lg:col-start-8 lg:row-span-2 lg:row-start-1 lg:rounded-2xl lg:border lg:border-border lg:bg-surface lg:p-6 lg:shadow-card">
          <div>
            <h1 id={titleId} tabIndex={-1} className="text-2xl [overflow-wrap:anywhere] sm:text-4xl">
              {laptop.name}
            </h1>
            {laptop.factsLine !== '' && <p className="figures mt-2 text-muted">{laptop.factsLine}</p>}
          </div>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <ConditionChip condition={laptop.condition} />
            <LevelChip level={laptop.level} />
            <span className="text-muted">used {laptop.use_time}</span>
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
