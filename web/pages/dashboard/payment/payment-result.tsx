import { useEffect, useRef } from 'react';
import { href } from 'react-router';
import { deadlineDays } from '#contract/money/order-states.ts';
import type { Booking } from '#contract/sales/bookings.ts';
import { firstName } from '../../../formats/first-name.ts';
import { PhoneLink } from '../../../formats/phone-link.tsx';
import { LinkButton, SecondaryLink } from '../../../ui/button.tsx';
import { PaymentAlert } from './payment-alert.tsx';
import type { PaymentState } from './payment-state.ts';
import type { Payment } from './use-payment.ts';

function TransactionId({ id }: { id: string | null }) {
  if (id === null) return null;
  return (
    <p className="mt-2 text-sm">
      Your transaction id: <span className="figures font-semibold wrap-anywhere">{id}</span>
    </p>
  );
}

/** The conversation about a booking, with the form that proposes a meeting. */
const proposalUrl = (booking: string) =>
  `${href('/dashboard/messages/:id?', { id: 'new' })}?${new URLSearchParams({ booking, propose: 'yes' })}`;

interface PaidProps {
  state: Extract<PaymentState, { step: 'paid' }>;
  booking: Booking;
}

function Paid({ state, booking }: PaidProps) {
  const { _id, productName, sellerName, sellerPhone, meeting, order, delivery } = booking;
  const heading = useRef<HTMLHeadingElement>(null);
  const { justNow } = state;
  const isToMeet = delivery === 'meet' && meeting === undefined && (justNow || order?.state === 'held');
  useEffect(() => {
    // The focused Pay button was removed.
    if (justNow) heading.current?.focus();
  }, [justNow]);
  return (
    <div className="flex flex-col items-start gap-3 rounded-xl border border-success bg-success-soft p-6">
      <h2 ref={heading} tabIndex={-1} className="text-success text-xl outline-none">
        {justNow ? 'Congrats! Your payment completed' : 'This order is paid'}
      </h2>
      <p>
        {justNow
          ? `${productName} is yours. We’ve told ${sellerName}.`
          : `You have paid for ${productName}. There is nothing more to pay.`}
      </p>
      {justNow && delivery === 'ship' && (
        <p>
          We hold your money. {firstName(sellerName)} sends the laptop within {deadlineDays('to_ship')} days,
          or you get the money back. When it has arrived, say so on the order: then you have{' '}
          {deadlineDays('delivered')} days to look at it, and without a complaint the money is released to the
          seller.
        </p>
      )}
      {justNow && delivery === 'meet' && (
        <p>
          We hold your money. Look at the laptop when you meet, and give the hand-over code, which is in My
          Orders, only if it is as shown. If it is not, or you never get it, complain there: without a
          complaint the money is released to the seller after {deadlineDays('held')} days, and not before the
          meeting on which you agree.
        </p>
      )}
      {isToMeet && (
        <p>
          Next: agree with {firstName(sellerName)} on a time to meet.
          {sellerPhone !== undefined && (
            <>
              {' '}
              Or call: <PhoneLink>{sellerPhone}</PhoneLink>
            </>
          )}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        {isToMeet && <LinkButton to={proposalUrl(_id)}>Propose a time</LinkButton>}
        <SecondaryLink to={href('/dashboard/myOrders')}>Go to My Orders</SecondaryLink>
      </div>
      <TransactionId id={state.transactionId} />
    </div>
  );
}

/** The final states of a payment; null in the others. */
export function PaymentResult({ payment, booking }: { payment: Payment; booking: Booking }) {
  const { state, retryRecording } = payment;
  switch (state.step) {
    case 'paid':
      return <Paid state={state} booking={booking} />;
    case 'refused':
    case 'refunded':
      return (
        <PaymentAlert
          isError
          title={state.step === 'refused' ? 'This cannot be paid' : 'Your money is on its way back'}
        >
          {state.message}
        </PaymentAlert>
      );
    case 'recording':
    case 'unrecorded':
      return (
        <PaymentAlert
          title={
            state.step === 'recording'
              ? 'Your card was charged'
              : 'Your card was charged, please don’t pay again'
          }
          button={{
            label: 'Check again',
            busy: state.step === 'recording' && 'Recording your payment',
            onClick: retryRecording,
          }}
        >
          {state.step === 'unrecorded' && (
            <>
              The card processor has taken the payment, but the shop has not recorded it yet. The shop will
              record it by itself, also when you close this page.
            </>
          )}
          <TransactionId id={state.transactionId} />
        </PaymentAlert>
      );
    default:
      return null;
  }
}
