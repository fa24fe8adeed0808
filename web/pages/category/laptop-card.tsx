import { href, Link, useViewTransitionState } from 'react-router';
import { configurationFields, type Laptop } from '#contract/listings/catalogue.ts';
import { deadlineDays } from '#contract/money/order-states.ts';
import { BookedChip } from '../../bookings/booked-chip.tsx';
import { BuyerPromise } from '../../bookings/buyer-promise.tsx';
import { NotBuyer } from '../../bookings/not-buyer.tsx';
import type { Purchase } from '../../bookings/use-purchase.ts';
import { firstName } from '../../formats/first-name.ts';
import { toLevelMark } from '../../formats/level-mark.ts';
import { PriceFacts } from '../../formats/price-facts.tsx';
import { ratedName } from '../../formats/rating.ts';
import { SellerBadge } from '../../formats/seller-badge.tsx';
import { ConditionChip, LevelChip, ShipsFreeChip } from '../../laptops/chips.tsx';
import { factsLine } from '../../laptops/facts-line.ts';
import { Gallery } from '../../laptops/gallery.tsx';
import { photoTransition } from '../../laptops/laptop-tile.tsx';
import { laptopTitleId } from '../../laptops/laptop-title-id.ts';
import { laptopUrl } from '../../laptops/laptop-url.ts';
import { OwnLaptopNotice } from '../../laptops/own-laptop-notice.tsx';
import { SellerNumber } from '../../laptops/seller-number.tsx';
import type { RoleCheck } from '../../session/roles.ts';
import { Button } from '../../ui/button.tsx';
import { FactList } from '../../ui/fact-list.tsx';

interface LaptopCardProps {
  laptop: Laptop;
  /** Whether the photo is loaded at once. */
  eager: boolean;
  roles: RoleCheck;
  purchase: Purchase;
  onBook: () => void;
}

function Description({ description }: Pick<Laptop, 'description'>) {
  const fields = typeof description === 'string' ? {} : description;
  const text = typeof description === 'string' ? description : description.Notes;
  const configured = fields.Processor !== undefined && fields.Processor !== '';
  return (
    <>
      {text !== undefined && <p className="whitespace-pre-line [overflow-wrap:anywhere]">{text}</p>}
      {configured && (
        <section>
          <h3 className="text-lg">Product Configuration</h3>
          <FactList
            className="mt-1"
            facts={configurationFields
              .map((name) => ({ name, value: fields[name] }))
              .filter(({ value }) => value)}
          />
        </section>
      )}
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
            <h2 id={titleId} tabIndex={-1} className="text-3xl">
              <Link to={url} viewTransition className="hover:underline">
                {laptop.name}
              </Link>
            </h2>
            {facts !== '' && <p className="figures mt-1 text-muted">{facts}</p>}
          </div>
          <PriceFacts original={laptop.original_price} resale={laptop.resale_price} />
          <FactList
            facts={[
              { name: 'Condition', value: <ConditionChip condition={laptop.condition} /> },
              { name: 'Checked', value: <LevelChip level={toLevelMark(laptop)} /> },
              { name: 'Use Time', value: laptop.use_time },
            ]}
          />
          <Description description={laptop.description} />
          <div className="mt-auto flex flex-col gap-4">
            <Actions laptop={laptop} roles={roles} purchase={purchase} onBook={onBook} />
            <BuyerPromise
              seller={firstName(laptop.sellers_name)}
              delivery={laptop.delivery}
              complaintDays={deadlineDays('released')}
            />
          </div>
        </div>
        <div>
          <p className="mb-2 flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <span className="sr-only">Seller</span>
            <Link
              to={href('/seller/:id', { id: laptop.seller_id })}
              className="font-semibold text-lg hover:underline"
            >
              {ratedName(laptop.sellers_name, laptop.seller_rating)}
            </Link>
            <SellerBadge verified={laptop.sellerVerified} />
          </p>
          <FactList
            facts={[
              { name: 'Mobile Number', value: <SellerNumber laptop={laptop} /> },
              {
                name: 'Location',
                value: (
                  <>
                    {laptop.location} <ShipsFreeChip laptop={laptop} />
                  </>
                ),
              },
              { name: 'Posted', value: laptop.posted_time },
            ]}
          />
        </div>
      </article>
    </li>
  );
}
