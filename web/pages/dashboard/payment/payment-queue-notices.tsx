import { href, Link } from 'react-router';
import type { HeldLaptop } from '#contract/platform/refusals.ts';
import { releaseHold } from '#contract/sales/bookings.ts';
import { WriteButton } from '../../../forms/write-button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { PaymentAlert } from './payment-alert.tsx';
import type { PaymentHold, PaymentState } from './payment-state.ts';

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
        {retryAt !== null && ` The current hold ends at ${clock(retryAt)} at the latest.`}
      </span>
    </PaymentAlert>
  );
}

function HeldLaptopItem({ held, onReleased }: { held: HeldLaptop; onReleased: () => void }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <span>
        <Link to={href('/dashboard/payment/:id', { id: held.bookingId })} className="font-semibold underline">
          {held.productName}
        </Link>{' '}
        until {clock(new Date(held.heldUntil))}
      </span>
      <WriteButton
        endpoint={releaseHold}
        input={{ params: { _id: held.bookingId } }}
        onSuccess={onReleased}
        size="regular"
        aria-label={`Release ${held.productName}`}
        busy="Releasing"
      >
        Release
      </WriteButton>
    </li>
  );
}

/** The buyer holds two other laptops: which, with buttons to release one. */
export function TooManyHoldsNotice({ state, retryPreparation }: NoticeProps<'too-many-holds'>) {
  return (
    <PaymentAlert
      title="You are paying for two other laptops"
      button={{ label: 'Try again now', onClick: retryPreparation }}
    >
      {state.message}
      <ul className="mt-3 flex flex-col gap-3">
        {state.holds.map((held) => (
          <HeldLaptopItem key={held.bookingId} held={held} onReleased={retryPreparation} />
        ))}
      </ul>
      <span className="mt-3 block">
        Releasing a laptop keeps its booking. This page tries again by itself.
      </span>
    </PaymentAlert>
  );
}

/** The end of the hold. It is not renewed while other buyers wait. */
export function HoldNote({ hold }: { hold: PaymentHold | null }) {
  if (hold === null || hold.heldUntil === null || hold.waiting === 0) return null;
  return (
    <Notice tone="info" role="status" className="text-sm">
      {hold.waiting === 1 ? 'Another buyer waits' : `${hold.waiting} other buyers wait`} to pay for this
      laptop. It is held for you until {clock(hold.heldUntil)}.
    </Notice>
  );
}
