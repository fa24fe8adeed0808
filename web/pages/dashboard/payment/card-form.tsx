import { CardElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { type FormEvent, useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from 'react';
import { type Delivery, deadlineDays } from '#contract/money/order-states.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import { usePerson } from '../../../session/session.tsx';
import { Button, SmallButton } from '../../../ui/button.tsx';
import { ErrorText } from '../../../ui/error-text.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { toastOffline } from '../../../ui/toast.tsx';
import { PaymentAlert } from './payment-alert.tsx';
import { PaymentWindowNote, TooManyPaymentWindowsNotice, WaitingNotice } from './payment-queue-notices.tsx';
import type { CardCalls, Payment } from './use-payment.ts';

/** The computed value of a colour token. The card processor's iframe cannot read CSS variables of this page. */
function readTokenColour(token: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(--${token})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function onThemeChange(listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const choice = new MutationObserver(listener);
  system.addEventListener('change', listener);
  choice.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', listener);
    choice.disconnect();
  };
}

/** The value of a colour token in the current theme; updates when the theme changes. */
function useTokenColour(token: string): string {
  return useSyncExternalStore(
    onThemeChange,
    () => readTokenColour(token),
    () => '',
  );
}

/** Milliseconds until the card field counts as not loaded. */
const FIELD_TIMEOUT = 20_000;
/** Milliseconds between questions to the card processor whose answer did not come. */
const CHECK_INTERVAL = 30_000;

interface CardFieldProps {
  disabled: boolean;
  /** The card processor's message about the card or the payment. */
  problem: string | null;
  onReadyChange: (ready: boolean) => void;
  /** Called with the card processor's message about the typed values, or null. */
  onProblem: (problem: string | null) => void;
}

/** The card processor's field, an iframe: this page never sees the card's data. */
function CardField({ disabled, problem, onReadyChange, onProblem }: CardFieldProps) {
  const [loadState, setLoadState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const [attempt, setAttempt] = useState(1);
  const foreground = useTokenColour('foreground');
  const muted = useTokenColour('muted');
  const danger = useTokenColour('danger');
  const surface = useTokenColour('surface');
  const options = useMemo(
    () => ({
      disabled,
      style: {
        base: {
          color: foreground,
          backgroundColor: surface,
          iconColor: muted,
          fontFamily: 'system-ui, sans-serif',
          // iOS zooms into a focused field with a smaller font.
          fontSize: '16px',
          lineHeight: '24px',
          '::placeholder': { color: muted },
        },
        invalid: { color: danger, iconColor: danger },
      },
    }),
    [disabled, foreground, muted, danger, surface],
  );

  useEffect(() => {
    onReadyChange(loadState === 'ready');
    if (loadState !== 'loading') return;
    const limit = setTimeout(() => setLoadState('failed'), FIELD_TIMEOUT);
    return () => clearTimeout(limit);
  }, [loadState, onReadyChange]);

  return (
    <div>
      <label htmlFor="card" className="font-semibold text-sm">
        Card
      </label>
      <div
        className={`relative mt-1.5 rounded-lg border bg-surface px-3.5 py-2.5 has-[.StripeElement--focus]:outline-3 has-[.StripeElement--focus]:outline-accent has-[.StripeElement--focus]:outline-offset-2 ${problem === null ? 'border-border-strong' : 'border-danger'}`}
      >
        {loadState === 'loading' && <Skeleton className="absolute inset-2" />}
        <CardElement
          key={attempt}
          id="card"
          options={options}
          onReady={() => setLoadState('ready')}
          onChange={(event) => onProblem(event.error?.message ?? null)}
          className="min-h-6"
        />
      </div>
      {loadState === 'failed' && (
        <ErrorText className="mt-2 flex flex-wrap items-center gap-3 text-sm">
          The card field does not appear. Please check your connection.
          <SmallButton
            onClick={() => {
              setLoadState('loading');
              setAttempt(attempt + 1);
            }}
          >
            Try again
          </SmallButton>
        </ErrorText>
      )}
      <ErrorText className="mt-2 text-sm empty:hidden">{problem}</ErrorText>
    </div>
  );
}

interface CardFormProps {
  payment: Payment;
  /** In the shop’s currency. */
  price: number;
  delivery: Delivery;
}

/** The card field, the notices of the payment's state and the Pay button. */
export function CardForm({ payment, price, delivery }: CardFormProps) {
  const { state, retryPreparation, pay, check } = payment;
  const stripe = useStripe();
  const elements = useElements();
  const { name, email } = usePerson();
  const [ready, setReady] = useState(false);
  const [typed, setTyped] = useState<string | null>(null);
  const refused = state.step === 'payable' ? state.problem : null;
  const busy = state.step === 'confirming' || state.step === 'checking';

  const card = elements?.getElement(CardElement);
  const calls: CardCalls | null =
    stripe === null || card === null || card === undefined
      ? null
      : {
          confirm: (clientSecret) =>
            stripe.confirmCardPayment(clientSecret, {
              payment_method: { card, billing_details: { name, email } },
            }),
          retrieve: (clientSecret) => stripe.retrievePaymentIntent(clientSecret),
        };

  const { step } = state;
  const recheck = useEffectEvent(() => {
    if (calls !== null) check(calls);
  });
  useEffect(() => {
    if (step !== 'unsure') return;
    const ask = () => recheck();
    const timer = setInterval(ask, CHECK_INTERVAL);
    window.addEventListener('online', ask);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', ask);
    };
  }, [step]);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!navigator.onLine) toastOffline();
    else if (calls !== null) pay(calls);
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      <CardField disabled={busy} problem={typed ?? refused} onReadyChange={setReady} onProblem={setTyped} />
      {state.step === 'waiting' && <WaitingNotice state={state} retryPreparation={retryPreparation} />}
      {state.step === 'too-many-payment-windows' && (
        <TooManyPaymentWindowsNotice state={state} retryPreparation={retryPreparation} />
      )}
      {state.step === 'payable' && <PaymentWindowNote paymentWindow={state.paymentWindow} />}
      {state.step === 'unprepared' && (
        <PaymentAlert
          isError
          title="The payment could not be prepared"
          button={{ label: 'Try again', onClick: retryPreparation }}
        >
          {state.message}
        </PaymentAlert>
      )}
      {state.step === 'unsure' && (
        <PaymentAlert
          isError
          title="We are waiting for the card processor"
          button={{ label: 'Check again', onClick: () => calls !== null && check(calls) }}
        >
          {state.message} Nothing is lost: if it was charged, your order turns to Paid by itself.
        </PaymentAlert>
      )}
      <p>
        {delivery === 'ship' ? (
          <>
            We hold your money until you have had the laptop for {deadlineDays('delivered')} days without a
            complaint, or say that all is well. If it is not sent within {deadlineDays('to_ship')} days, or
            gets lost, it comes back to you.
          </>
        ) : (
          <>
            We hold your money. It is released to the seller when you give the hand-over code, when you
            confirm the hand-over, or after {deadlineDays('held')} days without a complaint, and not before
            the meeting on which you agree. You can complain for {deadlineDays('released')} more days.
          </>
        )}
      </p>
      <Button
        type="submit"
        busy={busy && (state.step === 'checking' ? 'Checking' : 'Paying')}
        disabled={state.step !== 'payable' || !ready || calls === null}
        className="w-full"
      >
        Pay
      </Button>
      <p className="text-muted text-sm">
        {formatAmount(price)} is charged once. Your card details go straight to the payment processor; we
        never see them.
      </p>
    </form>
  );
}
