import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { configurationFields, type Laptop } from '#contract/catalogue.ts';
import { formatDollars } from '#contract/scalars.ts';
import { notBuyerMessage } from '../../bookings/not-buyer-message.ts';
import { savedDollars } from '../../formats/prices.tsx';
import { SellerBadge } from '../../formats/seller-badge.tsx';
import { Gallery } from '../../laptops/gallery.tsx';
import { laptopTitleId } from '../../laptops/laptop-title-id.ts';
import { laptopUrl } from '../../laptops/laptop-url.ts';
import { ReportButton } from '../../laptops/report-button.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import type { LaptopCardProps } from './laptop-card-props.ts';

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4 py-2">
      <dt className="shrink-0 text-quiet">{name}</dt>
      <dd className="min-w-0 text-right [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

function Description({ description }: Pick<Laptop, 'description'>) {
  const fields = typeof description === 'string' ? {} : description;
  const text = typeof description === 'string' ? description : description.Notes;
  const configured = fields.Processor !== undefined && fields.Processor !== '';
  return (
    <>
      {text !== undefined && <p className="whitespace-pre-line [overflow-wrap:anywhere]">{text}</p>}
      {configured && (
        <div>
          <h3 className="text-lg">Product Configuration</h3>
          <dl className="mt-1 divide-y divide-line">
            {configurationFields.map((field) => {
              const value = fields[field];
              return value === undefined || value === '' ? null : (
                <Fact key={field} name={field}>
                  {value}
                </Fact>
              );
            })}
          </dl>
        </div>
      )}
    </>
  );
}

function PriceFacts({ laptop }: { laptop: Laptop }) {
  const saved = savedDollars(laptop.original_price, laptop.resale_price);
  return (
    <div className="figures flex flex-wrap items-end gap-x-8 gap-y-2">
      <dl className="flex flex-wrap items-end gap-x-8 gap-y-2">
        <div>
          <dt className="text-quiet text-sm">Resale Price</dt>
          <dd className="font-bold font-display text-3xl tracking-tight">
            {formatDollars(laptop.resale_price)}
          </dd>
        </div>
        <div>
          <dt className="text-quiet text-sm">Original Price</dt>
          <dd className="text-lg text-quiet">
            <s>{formatDollars(laptop.original_price)}</s>
          </dd>
        </div>
      </dl>
      {saved !== null && <Badge tone="good">You save {formatDollars(saved)}</Badge>}
    </div>
  );
}

function Actions({ laptop, roles, purchase, onBook }: Omit<LaptopCardProps, 'eager' | 'report'>) {
  if (roles.status === 'known' && !roles.isBuyer) {
    return <p className="rounded-lg bg-sunken px-4 py-3 text-quiet">{notBuyerMessage(roles)}</p>;
  }
  const waiting = roles.status !== 'known';
  const booked = purchase.isBooked(laptop);
  const wished = purchase.isWished(laptop);
  return (
    <div className="flex flex-wrap gap-3">
      <Button className="flex-1 whitespace-nowrap" onClick={onBook} disabled={waiting || booked}>
        Book now
      </Button>
      <Button
        variant="secondary"
        className="flex-1 whitespace-nowrap"
        onClick={() => purchase.wish(laptop)}
        disabled={waiting || wished}
        busy={purchase.pendingWishId === laptop._id && 'Adding'}
      >
        Add to Wishlist
      </Button>
      {(booked || wished) && (
        <p className="basis-full text-quiet text-sm">
          {booked && 'You booked this laptop; pay for it under My Orders. '}
          {wished && 'It is on your wishlist.'}
        </p>
      )}
    </div>
  );
}

/** The large card of a laptop: photos, prices, facts and seller. */
export function LaptopCard({ laptop, eager, roles, purchase, report, onBook }: LaptopCardProps) {
  const titleId = laptopTitleId(laptop);
  return (
    <li>
      <article
        aria-labelledby={titleId}
        className="grid gap-6 rounded-2xl border border-line bg-surface p-4 shadow-card sm:p-6 lg:grid-cols-[1.35fr_1fr] lg:grid-rows-[auto_1fr] lg:gap-x-8"
      >
        <Gallery laptop={laptop} eager={eager} place="card" />
        <div className="flex min-w-0 flex-col gap-5 lg:col-start-2 lg:row-span-2 lg:row-start-1">
          <h2 id={titleId} tabIndex={-1} className="text-2xl [overflow-wrap:anywhere] sm:text-3xl">
            <Link to={laptopUrl(laptop)} className="hover:underline">
              {laptop.name}
            </Link>
          </h2>
          <PriceFacts laptop={laptop} />
          <dl className="divide-y divide-line border-line border-y">
            <Fact name="Condition">{laptop.condition}</Fact>
            <Fact name="Use Time">{laptop.use_time}</Fact>
          </dl>
          <Description description={laptop.description} />
          <div className="mt-auto">
            <Actions laptop={laptop} roles={roles} purchase={purchase} onBook={onBook} />
          </div>
        </div>
        <div className="flex flex-col items-start gap-3">
          <dl className="grid w-full content-start gap-x-8 gap-y-1 sm:grid-cols-2">
            <div className="flex items-center gap-2.5 sm:col-span-2">
              <dt className="sr-only">Seller</dt>
              <dd className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                <strong className="font-semibold text-lg">{laptop.sellers_name}</strong>
                <SellerBadge verified={laptop.sellerVerified} />
              </dd>
            </div>
            {laptop.mobile_number !== undefined && (
              <Fact name="Mobile Number">
                <a
                  href={`tel:${laptop.mobile_number.replace(/[^+\d]/g, '')}`}
                  className="figures inline-flex min-h-6 items-center text-aubergine underline underline-offset-4"
                >
                  {laptop.mobile_number}
                </a>
              </Fact>
            )}
            <Fact name="Location">{laptop.location}</Fact>
            <Fact name="Posted">{laptop.posted_time}</Fact>
          </dl>
          {report !== null && <ReportButton laptop={laptop} report={report} className="-ml-3.5" />}
        </div>
      </article>
    </li>
  );
}
