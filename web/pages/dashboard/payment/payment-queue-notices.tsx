import { href, Link } from 'react-router';
import type { OpenPaymentWindow } from '#contract/platform/refusals.ts';
import { closePaymentWindow } from '#contract/sales/bookings.ts';
import { WriteButton } from '../../../forms/write-button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { PaymentAlert } from './payment-alert.tsx';
import type { PaymentState, PaymentWindow } from './payment-state.ts';

const clock = (moment: Date) => moment.toLocaleTimeString('en-US', { timeStyle: 'short' });

interface NoticeProps<Step> {
  state: Extract<PaymentState, { step: Step }>;
  retryPreparation: () => void;
}

/** Another buyer is paying: the buyer's place in the queue. */
export function WaitingNotice({ state, retryPreparation }: NoticeProps<'waiting'>) {
  const { place, retryAt, message } = state;
  return (
    <PaymentAlert
      title={place === 1 ? 'Somebody is paying right now, you are next' : 'Somebody is paying right now'}
      button={{ label: 'Try again now', onClick: retryPreparation }}
    >
      {message}
      <span className="mt-1 block">
        {place === null
          ? 'This page tries again by itself.'
          : 'Keep this page open: it keeps your place and tries again by itself.'}
        {retryAt !== null && ` The other buyer’s time ends at ${clock(retryAt)} at the latest.`}
      </span>
    </PaymentAlert>
  );
}

function OtherLaptopItem({ laptop, onReleased }: { laptop: OpenPaymentWindow; onReleased: () => void }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <span>
        <Link
          to={href('/dashboard/payment/:id', { id: laptop.bookingId })}
          className="font-semibold underline"
        >
          {laptop.productName}
        </Link>{' '}
        until {clock(new Date(laptop.paymentWindowEndsAt))}
      </span>
      <WriteButton
        endpoint={closePaymentWindow}
        input={{ params: { _id: laptop.bookingId } }}
        onSuccess={onReleased}
        size="regular"
        aria-label={`Release ${laptop.productName}`}
        busy="Releasing"
      >
        Release
      </WriteButton>
    </li>
  );
}

/** The buyer has two other payment windows: which, with buttons to release one. */
export function TooManyPaymentWindowsNotice({
  state,
  retryPreparation,
}: NoticeProps<'too-many-payment-windows'>) {
  return (
    <PaymentAlert
      title="You are paying for two other laptops"
      button={{ label: 'Try again now', onClick: retryPreparation }}
    >
      {state.message}
      <ul className="mt-3 flex flex-col gap-3">
        {state.paymentWindows.map((laptop) => (
          <OtherLaptopItem key={laptop.bookingId} laptop={laptop} onReleased={retryPreparation} />
        ))}
      </ul>
      <span className="mt-3 block">
        Releasing a laptop keeps its booking. This page tries again by itself.
      </span>
    </PaymentAlert>
  );
}

/** The end of the payment window. It is not renewed while other buyers wait. */
export function PaymentWindowNote({ paymentWindow }: { paymentWindow: PaymentWindow | null }) {
  if (paymentWindow === null || paymentWindow.paymentWindowEndsAt === null || paymentWindow.waiting === 0)
    return null;
  return (
    <Notice tone="info" role="status" className="text-sm">
      {paymentWindow.waiting === 1 ? 'Another buyer waits' : `${paymentWindow.waiting} other buyers wait`} to
      pay for this laptop. It is held for you until {clock(paymentWindow.paymentWindowEndsAt)}.
    </Notice>
  );
}
