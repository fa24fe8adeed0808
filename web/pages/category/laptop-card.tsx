import type { ReactNode } from 'react';
import { href, Link, useViewTransitionState } from 'react-router';
import { configurationFields, type Laptop } from '#contract/listings/catalogue.ts';
import { clockDays } from '#contract/money/order-states.ts';
import { BookedChip } from '../../bookings/booked-chip.tsx';
import { BuyerPromise } from '../../bookings/buyer-promise.tsx';
import { NotBuyer } from '../../bookings/not-buyer.tsx';
import type { Purchase } from '../../bookings/use-purchase.ts';
import { firstName } from '../../formats/first-name.ts';
import { toLevelMark } from '../../formats/level-mark.ts';
import { PhoneLink } from '../../formats/phone-link.tsx';
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
import { OwnLaptopNotice } from '../../laptops/own-laptop-notice.tsx';
import { ShipsFreeChip } from '../../laptops/ships-free-chip.tsx';
import type { RoleCheck } from '../../session/roles.ts';
import { Button } from '../../ui/button.tsx';

interface LaptopCardProps {
  laptop: Laptop;
  /** Whether the photo is loaded at once. */
  eager: boolean;
  roles: RoleCheck;
  purchase: Purchase;
  onBook: () => void;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid items-baseline gap-x-4 py-2 @3xs:grid-cols-[7.5rem_1fr]">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

function Configuration({ fields }: { fields: Readonly<Record<string, string>> }) {
  return (
    <section>
      <h3 className="text-lg">Product Configuration</h3>
      <dl className="@container mt-1 divide-y divide-border">
        {configurationFields.map((field) => {
          const value = fields[field] ?? '';
          return value === '' ? null : (
            <Fact key={field} name={field}>
              {value}
            </Fact>
          );
        })}
      </dl>
    </section>
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
    return <NotBuyer isSeller={roles.isSeller} />;
  }
  if (purchase.isOwn(laptop)) return <OwnLaptopNotice />;
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
        <div className="flex basis-full flex-wrap items-center gap-x-4 gap-y-2 text-muted text-sm">
          {booked && <BookedChip laptop={laptop} bookingId={purchase.unpaidBookingId(laptop)} />}
          {wished && <p>It is on your wishlist.</p>}
        </div>
      )}
    </div>
  );
}

/** The large card of a laptop for wide windows: photos, prices, facts and seller, as the specification names them. */
export function LaptopCard({ laptop, eager, roles, purchase, onBook }: LaptopCardProps) {
  const titleId = laptopTitleId(laptop);
  const url = laptopUrl(laptop);
  const facts = factsLine(laptop.facts);
  const isOpening = useViewTransitionState(url);
  return (
    <li>
      <article
        aria-labelledby={titleId}
        className="card grid grid-cols-[1.35fr_1fr] grid-rows-[auto_1fr] gap-x-8 gap-y-6 shadow-card"
      >
        <div className="min-w-0" style={isOpening ? photoTransition : undefined}>
          <Gallery laptop={laptop} eager={eager} />
        </div>
        <div className="col-start-2 row-span-2 row-start-1 flex min-w-0 flex-col gap-5">
          <div>
            <h2 id={titleId} tabIndex={-1} className="text-3xl [overflow-wrap:anywhere]">
              <Link to={url} prefetch="intent" viewTransition className="hover:underline">
                {laptop.name}
              </Link>
            </h2>
            {facts !== '' && <p className="figures mt-1 text-muted">{facts}</p>}
          </div>
          <PriceFacts original={laptop.original_price} resale={laptop.resale_price} />
          <dl className="@container divide-y divide-border border-border border-y">
            <Fact name="Condition">
              <ConditionChip condition={laptop.condition} />
            </Fact>
            <Fact name="Checked">
              <LevelChip level={toLevelMark(laptop)} />
            </Fact>
            <Fact name="Use Time">{laptop.use_time}</Fact>
          </dl>
          <Description description={laptop.description} />
          <div className="mt-auto flex flex-col gap-4">
            <Actions laptop={laptop} roles={roles} purchase={purchase} onBook={onBook} />
            <BuyerPromise
              seller={firstName(laptop.sellers_name)}
              delivery={laptop.delivery}
              complaintDays={clockDays('released')}
            />
          </div>
        </div>
        <dl className="@container grid content-start grid-cols-2 gap-x-8 gap-y-1">
          <div className="col-span-2 flex items-center gap-2.5">
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
              <PhoneLink>{laptop.mobile_number}</PhoneLink>
            </Fact>
          )}
          {laptop.contact_hidden_until !== undefined && (
            <Fact name="Mobile Number">
              <HiddenNumber until={laptop.contact_hidden_until} />
            </Fact>
          )}
          <Fact name="Location">
            {laptop.location} <ShipsFreeChip laptop={laptop} />
          </Fact>
          <Fact name="Posted">{laptop.posted_time}</Fact>
        </dl>
      </article>
    </li>
  );
}
