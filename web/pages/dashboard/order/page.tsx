import { type ReactNode, useState } from 'react';
import { href, Link, useParams } from 'react-router';
import { openComplaintStates } from '#contract/money/order-states.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import { readBooking } from '#contract/sales/bookings.ts';
import { listComplaintsOfOrder } from '#contract/sales/complaints.ts';
import { type Order, readOrder } from '#contract/sales/orders.ts';
import { readReviewsOfOrder } from '#contract/sales/reviews.ts';
import { DateTime, Day } from '../../../formats/date-time.tsx';
import { ratedName } from '../../../formats/rating.ts';
import { SellerName } from '../../../formats/seller-name.tsx';
import { pollWhileCode } from '../../../inspections/poll-while-code.ts';
import { laptopUrl } from '../../../laptops/laptop-url.ts';
import { PageHeading } from '../../../layout/page-heading.tsx';
import {
  orderActor,
  orderDeadline,
  orderEventLabel,
  orderMeaning,
  orderStateLabel,
} from '../../../orders/order-texts.ts';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { useRights, useRoles } from '../../../session/roles.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Photo } from '../../../ui/photo.tsx';
import { Section } from '../../../ui/section.tsx';
import { Skeletons } from '../../../ui/skeletons.tsx';
import { CancelSale } from './cancel-sale.tsx';
import { Complaints } from './complaints.tsx';
import { BuyerHandOver, SellerHandOver } from './hand-over.tsx';
import type { MeasureAgainProps } from './measure-again.tsx';
import { Contact, isMeetingAhead, Meeting } from './meeting.tsx';
import { NewComplaint } from './new-complaint.tsx';
import { RefundOrder, Refunds } from './refunds.tsx';
import { Reviews } from './reviews.tsx';
import { Shipping } from './shipping.tsx';
import { WhatToCheck } from './what-to-check.tsx';

function Timeline({ order }: { order: Order }) {
  return (
    <Section title="What happened" className="card">
      <ol className="mt-4 flex flex-col gap-4 border-border border-l-2 pl-5">
        {order.timeline.map(({ at, event, by, amount }) => (
          <li key={`${at} ${event}`} className="relative">
            <span
              aria-hidden="true"
              className="absolute top-1.5 -left-[1.7rem] size-3 rounded-full bg-accent ring-4 ring-surface"
            />
            <span className="block font-semibold wrap-anywhere">
              {orderEventLabel(event, order.role)}
              {amount !== undefined && `: ${formatAmount(amount)}`}
            </span>
            <span className="text-muted text-sm">
              <DateTime at={at} /> by {orderActor(by, order.role)}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Amount({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4 py-2">
      <dt className="text-muted">{name}</dt>
      <dd className="figures">{children}</dd>
    </div>
  );
}

/** Whether it is open who gets the money of an order. */
const isUndecided = ({ state }: Order) =>
  state === 'charge_disputed' || openComplaintStates.some((open) => open === state);

/** Whether the parcel of an order does not arrive, so that its price will go back. */
const isUndelivered = ({ news }: Order) => news === 'return_to_sender' || news === 'failure';

/** The words for what the seller gets of a sale. */
function proceedsName(order: Order): string {
  const name = order.role === 'seller' ? 'For you' : 'For the seller';
  if (isUndecided(order) || isUndelivered(order)) return `${name}, if the sale stands`;
  // Who pays the parcel is known once there is one.
  return order.state === 'to_ship' && order.labels === undefined ? `${name}, before shipping` : name;
}

/** What shipping costs, for the reader of an order. */
function shippingText({ role, labels, parcels }: Order): string {
  if (role === 'buyer') return 'Free';
  if (labels === undefined && parcels.length === 0) return 'Not sent';
  if (labels === undefined) return `${role === 'seller' ? 'You pay' : 'The seller pays'} the carrier`;
  return labels === 0 ? 'The shop pays' : formatAmount(labels);
}

function Amounts({ order, children }: { order: Order; children: ReactNode }) {
  const { price, refunded, goodwill, commission, delivery, role, parcels } = order;
  const paidFor = parcels.flatMap(({ insurance }) => insurance ?? []);
  // Of the price and what the insurance can take back, the seller keeps one.
  const insurance = paidFor
    .filter(({ returnable }) => returnable === undefined)
    .reduce((sum, { paid }) => sum + paid, 0);
  const proceeds = order.proceeds === undefined ? undefined : order.proceeds + insurance;
  return (
    <Section title="The money" className="card">
      {children}
      <dl className="mt-2 divide-y divide-border">
        <Amount name="Price">{formatAmount(price)}</Amount>
        {delivery === 'ship' && <Amount name="Shipping">{shippingText(order)}</Amount>}
        {refunded > 0 && (
          <Amount name={role === 'buyer' ? 'Back to you' : 'Back to the buyer'}>
            {formatAmount(refunded)}
          </Amount>
        )}
        {goodwill > 0 && <Amount name="Back at the shop’s own cost">{formatAmount(goodwill)}</Amount>}
        {commission !== undefined && <Amount name="The shop’s commission">{formatAmount(commission)}</Amount>}
        {insurance > 0 && <Amount name="From the insurance">{formatAmount(insurance)}</Amount>}
        {proceeds !== undefined && (
          <Amount name={proceedsName(order)}>
            <strong>{proceeds < 0 ? `−${formatAmount(-proceeds)}` : formatAmount(proceeds)}</strong>
          </Amount>
        )}
      </dl>
    </Section>
  );
}

/** What the state of an order means, and when it ends by itself. */
function Meaning({ order }: { order: Order }) {
  const deadline = orderDeadline(order);
  return (
    <div className="mt-1">
      <p className="max-w-prose">{orderMeaning(order)}</p>
      {order.cancelReason !== undefined && (
        <p className="mt-1 max-w-prose whitespace-pre-line wrap-anywhere">
          {orderEventLabel('cancel', order.role)}: “{order.cancelReason}”
        </p>
      )}
      {order.dueAt !== null && deadline !== undefined && (
        <p className="mt-1 max-w-prose text-muted">
          {deadline} <Day at={order.dueAt} />.
          {order.meetBy !== undefined && (
            <>
              {' '}
              It waits for a meeting on which you both agree; that can be until <Day at={order.meetBy} />.
            </>
          )}
          {order.state === 'released' &&
            order.payoutAfter === 'completed' &&
            ` ${order.role === 'seller' ? 'You are' : 'The seller is'} paid then.`}
        </p>
      )}
    </div>
  );
}

function Summary({ order, children }: { order: Order; children: ReactNode }) {
  const { label, tone } = orderStateLabel(order);
  return (
    <section aria-label="State" className="card @container flex flex-col gap-4">
      <div className="flex flex-wrap gap-4">
        {order.image !== '' && (
          <Photo
            url={order.image}
            alt=""
            sizes="112px"
            className="aspect-4/3 w-20 self-start rounded-lg object-cover sm:w-28"
          />
        )}
        <div className="min-w-0 flex-1 basis-[9rem]">
          <h2 className="text-lg leading-snug sm:text-xl">
            <Link
              to={laptopUrl({ _id: order.productCode, name: order.productName })}
              className="inline-block min-h-6 hover:underline"
            >
              {order.productName}
            </Link>
          </h2>
          <p className="mt-1 text-muted text-sm wrap-anywhere">
            {order.role !== 'buyer' && <>Buyer: {ratedName(order.buyerName, order.buyerRating)}</>}
            {order.role === 'admin' && '. '}
            {order.role !== 'seller' && (
              <>
                Seller: <SellerName name={order.sellerName} id={order.sellerId} rating={order.sellerRating} />
              </>
            )}
          </p>
          <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
            {/* Announces what the other person or the shop does meanwhile. */}
            <span aria-live="polite">
              <Badge tone={tone}>{label}</Badge>
            </span>
            {order.hasCertificate && (
              <Link
                to={href('/c/:id', { id: order.productCode })}
                className="link inline-block min-h-6 text-sm"
              >
                The laptop’s certificate
              </Link>
            )}
          </p>
        </div>
      </div>
      {children}
    </section>
  );
}

function OrderView({ order, onCode }: MeasureAgainProps) {
  const isFor = useRights();
  const meaning = <Meaning order={order} />;
  const isMeeting = order.role !== 'admin' && isMeetingAhead(order);
  // The meeting and the code come first then, and the meaning of the state is with the money.
  const isHandOver = isMeeting && order.state === 'held';
  return (
    <div className="flex flex-col gap-5">
      <Summary order={order}>
        <div aria-live="polite" className="empty:sr-only">
          {!isHandOver && meaning}
        </div>
        {!isMeeting && order.role !== 'admin' && <Contact order={order} />}
      </Summary>
      {isMeeting && <Meeting order={order} />}
      {order.handoverCode !== undefined && <BuyerHandOver order={order} code={order.handoverCode} />}
      {order.moves.includes('hand_over') && <SellerHandOver order={order} />}
      {order.delivery === 'ship' && <Shipping order={order} />}
      <WhatToCheck order={order} onCode={onCode} />
      <Complaints order={order} />
      <NewComplaint order={order} />
      <Reviews order={order} isUndecided={isUndecided(order)} />
      {order.role === 'admin' && isFor('money') && <RefundOrder order={order} />}
      <Refunds order={order} />
      <div className="grid grid-cols-1 items-start gap-5 md:grid-cols-2">
        <Timeline order={order} />
        <Amounts order={order}>{isHandOver && meaning}</Amounts>
      </div>
      <CancelSale order={order} />
    </div>
  );
}

/**
 * Reads what the parts of the page show of an order, so that they need not wait for it. The shop records what an admin reads, so an
 * admin reads only what is shown.
 */
function useParts(id: string): void {
  const roles = useRoles();
  const isParty = roles.status === 'known' && !roles.isAdmin;
  const ofOrder = { params: { _id: id } };
  useRead(readBooking, ofOrder, { enabled: isParty, refetchOnMount: 'always' });
  useRead(listComplaintsOfOrder, ofOrder, { enabled: isParty, refetchOnMount: 'always' });
  useRead(readReviewsOfOrder, ofOrder, { refetchOnMount: 'always' });
}

export default function OrderPage() {
  const { id = '' } = useParams();
  const [codeExpiresAt, setCodeExpiresAt] = useState<string | null>(null);
  const order = useRead(
    readOrder,
    { params: { _id: id } },
    { refetchOnMount: 'always', refetchInterval: () => pollWhileCode(codeExpiresAt) },
  );
  useParts(id);
  return (
    <>
      <PageHeading title="Order" />

      <QueryView query={order} what="this order" skeleton={<Skeletons className="h-44" />} back="myOrders">
        {(data) => <OrderView order={data} onCode={setCodeExpiresAt} />}
      </QueryView>
    </>
  );
}
