import { type ReactNode, useState } from 'react';
import { href, Link, useViewTransitionState } from 'react-router';
import { configurationFields, type Laptop } from '#contract/listings/catalogue.ts';
import { BookedChip } from '../../bookings/booked-chip.tsx';
import { notBuyerMessage } from '../../bookings/not-buyer-message.ts';
import { toLevelMark } from '../../formats/level-mark.ts';
import { PriceFacts } from '../../formats/price-facts.tsx';
import { ratedName } from '../../formats/rating.ts';
import { SellerBadge } from '../../formats/seller-badge.tsx';
import { ConditionChip } from '../../laptops/condition-chip.tsx';
import { factsLine } from '../../laptops/facts-line.ts';
import { Gallery } from '../../laptops/gallery.tsx';
import { HiddenNumber } from '../../laptops/hidden-number.tsx';
import { photoTransition } from '../../laptops/laptop-tile.tsx';
import { laptopTitleId } from '../../laptops/laptop-title-id.ts';
import { laptopUrl } from '../../laptops/laptop-url.ts';
import { LevelChip } from '../../laptops/level-chip.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { isNarrower } from './is-narrower.ts';
import type { LaptopCardProps } from './laptop-card-props.ts';

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid items-baseline gap-x-4 py-2 @3xs:grid-cols-[7.5rem_1fr]">
      <dt className="text-quiet">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

/** The configuration; folded on phones, where it would hide the buttons below the first screen. */
function Configuration({ fields }: { fields: Readonly<Record<string, string>> }) {
  // A category is never rendered on the server.
  const [isOpen] = useState(() => !isNarrower('40rem'));
  return (
    <details open={isOpen} className="group">
      <summary className="flex min-h-9 items-center justify-between gap-4">
        <h3 className="text-lg">Product Configuration</h3>
        <Icon d="m5 8 5 5 5-5" className="size-5 text-quiet group-open:rotate-180" />
      </summary>
      <dl className="@container mt-1 divide-y divide-line">
        {configurationFields.map((field) => {
          const value = fields[field] ?? '';
          return value === '' ? null : (
            <Fact key={field} name={field}>
              {value}
            </Fact>
          );
        })}
      </dl>
    </details>
  );
}

function Description({ description }: Pick<Laptop, 'description'>) {
  const fields = typeof description === 'string' ? {} : description;
  const text = typeof description === 'string' ? description : description.Notes;
  const configured = fields.Processor !== undefined && fields.Processor !== '';
  return (
    <>
      {text !== undefined && <p className="whitespace-pre-line [overflow-wrap:anywhere]">{text}</p>}
      {configured && <Configuration fields={fields} />}
    </>
  );
}

function Actions({ laptop, roles, purchase, onBook }: Omit<LaptopCardProps, 'eager'>) {
  if (roles.status === 'known' && !roles.isBuyer) {
    return <p className="rounded-lg bg-sunken px-4 py-3 text-quiet">{notBuyerMessage(roles)}</p>;
  }
  const waiting = roles.status !== 'known';
  const booked = purchase.isBooked(laptop);
  const wished = purchase.isWished(laptop);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button
        variant="tinted"
        className="flex-1 whitespace-nowrap"
        onClick={onBook}
        disabled={waiting || booked}
      >
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
        <div className="flex basis-full flex-wrap items-center gap-x-4 gap-y-2 text-quiet text-sm">
          {booked && <BookedChip laptop={laptop} bookingId={purchase.unpaidBookingId(laptop)} />}
          {wished && <p>It is on your wishlist.</p>}
        </div>
      )}
    </div>
  );
}

/** The large card of a laptop: photos, prices, facts and seller. */
export function LaptopCard({ laptop, eager, roles, purchase, onBook }: LaptopCardProps) {
  const titleId = laptopTitleId(laptop);
  const url = laptopUrl(laptop);
  const facts = factsLine(laptop.facts);
  const isOpening = useViewTransitionState(url);
  return (
    <li>
      <article
        aria-labelledby={titleId}
        className="grid gap-6 rounded-2xl border border-line bg-surface p-4 shadow-card sm:p-6 lg:grid-cols-[1.35fr_1fr] lg:grid-rows-[auto_1fr] lg:gap-x-8"
      >
        <div className="min-w-0" style={isOpening ? photoTransition : undefined}>
          <Gallery laptop={laptop} eager={eager} place="card" />
        </div>
        <div className="flex min-w-0 flex-col gap-5 lg:col-start-2 lg:row-span-2 lg:row-start-1">
          <div>
            <h2 id={titleId} tabIndex={-1} className="text-2xl [overflow-wrap:anywhere] sm:text-3xl">
              <Link to={url} prefetch="intent" viewTransition className="hover:underline">
                {laptop.name}
              </Link>
            </h2>
            {facts !== '' && <p className="figures mt-1 text-quiet">{facts}</p>}
          </div>
          <PriceFacts original={laptop.original_price} resale={laptop.resale_price} />
          <dl className="@container divide-y divide-line border-line border-y">
            <Fact name="Condition">
              <ConditionChip condition={laptop.condition} />
            </Fact>
            <Fact name="Checked">
              <LevelChip level={toLevelMark(laptop)} />
            </Fact>
            <Fact name="Use Time">{laptop.use_time}</Fact>
          </dl>
          <Description description={laptop.description} />
          <div className="mt-auto">
            <Actions laptop={laptop} roles={roles} purchase={purchase} onBook={onBook} />
          </div>
        </div>
        <dl className="@container grid content-start gap-x-8 gap-y-1 sm:grid-cols-2">
          <div className="flex items-center gap-2.5 sm:col-span-2">
            <dt className="sr-only">Seller</dt>
            <dd className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
              <Link
                to={href('/seller/:id', { id: laptop.seller_id })}
                className="font-semibold text-lg hover:underline"
              >
                {ratedName(laptop.sellers_name, laptop.seller_rating)}
              </Link>
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
          {laptop.contact_hidden_until !== undefined && (
            <Fact name="Mobile Number">
              <HiddenNumber until={laptop.contact_hidden_until} />
            </Fact>
          )}
          <Fact name="Location">{laptop.location}</Fact>
          <Fact name="Posted">{laptop.posted_time}</Fact>
        </dl>
      </article>
    </li>
  );
}
