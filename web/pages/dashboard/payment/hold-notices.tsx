import { useMutation } from '@tanstack/react-query';
import { Link } from 'react-router';
import { releaseHold } from '#contract/bookings.ts';
import type { HeldLaptop } from '#contract/refusals.ts';
import { linkTo } from '../../../links.ts';
import { useApi } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toast.tsx';
import { Notice } from './notice.tsx';
import type { PaymentState, Turn } from './payment-state.ts';

const clock = (moment: Date) => moment.toLocaleTimeString('en-US', { timeStyle: 'short' });

interface WaitingProps {
  state: Extract<PaymentState, { step: 'waiting' }>;
  askAgain: () => void;
}

/** Somebody else is paying: the buyer's place in line, and that the page keeps it. */
export function WaitingNotice({ state, askAgain }: WaitingProps) {
  const { place, retryAt, message } = state;
  return (
    <Notice
      title={place === 1 ? 'Somebody is paying right now, you are next' : 'Somebody is paying right now'}
      action={
        <Button look="secondary" onClick={askAgain}>
          Try again now
        </Button>
      }
    >
      {message}
      <span className="mt-1 block">
        {place === null
          ? 'This page tries again by itself.'
          : 'Keep this page open: it keeps your place and tries again by itself.'}
        {retryAt !== null && ` The present turn ends at ${clock(retryAt)} at the latest.`}
      </span>
    </Notice>
  );
}

function Held({ held, onLetGo }: { held: HeldLaptop; onLetGo: () => void }) {
  const api = useApi();
  const letGo = useMutation({
    mutationFn: () => api.call(releaseHold, { params: { _id: held.bookingId } }),
    onSuccess: onLetGo,
    onError: (error) => toast.error(error.message),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <span>
        <Link to={linkTo('payment', { id: held.bookingId })} className="font-semibold underline">
          {held.productName}
        </Link>{' '}
        until {clock(new Date(held.heldUntil))}
      </span>
      <Button
        look="secondary"
        busy={letGo.isPending && 'Letting it go'}
        aria-label={`Let ${held.productName} go`}
        onClick={() => letGo.mutate()}
      >
        Let it go
      </Button>
    </li>
  );
}

interface TooManyProps {
  state: Extract<PaymentState, { step: 'holding-others' }>;
  askAgain: () => void;
}

/** The buyer pays for two other laptops: which, and how to let go of one. */
export function TooManyNotice({ state, askAgain }: TooManyProps) {
  return (
    <Notice
      title="You are paying for two other laptops"
      action={
        <Button look="secondary" onClick={askAgain}>
          Try again now
        </Button>
      }
    >
      {state.message}
      <ul className="mt-3 flex flex-col gap-3">
        {state.holds.map((held) => (
          <Held key={held.bookingId} held={held} onLetGo={askAgain} />
        ))}
      </ul>
      <span className="mt-3 block">
        Letting a laptop go keeps its booking. This page tries again by itself.
      </span>
    </Notice>
  );
}

/** Others wait, so that the turn is not prolonged: until when the laptop is the buyer's to pay. */
export function TurnNote({ turn }: { turn: Turn | null }) {
  if (turn === null || turn.heldUntil === null || turn.waiting === 0) return null;
  return (
    <p role="status" className="rounded-lg bg-orange-soft p-3 text-sm">
      {turn.waiting === 1 ? 'Another buyer waits' : `${turn.waiting} other buyers wait`} to pay for this
      laptop. It is held for you until {clock(turn.heldUntil)}.
    </p>
  );
}
