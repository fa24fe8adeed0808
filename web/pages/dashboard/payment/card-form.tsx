import { CardElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { type FormEvent, useState } from 'react';
import { clockDays, type Delivery } from '#contract/money/order-states.ts';
import { formatAmount } from '#contract/platform/scalars.ts';
import { usePerson } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { CardField } from './card-field.tsx';
import { HoldNote, TooManyHoldsNotice, WaitingNotice } from './hold-notices.tsx';
import { PaymentAlert } from './payment-alert.tsx';
import type { CardCalls, Payment } from './use-payment.ts';

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

  function submit(event: FormEvent) {
    event.preventDefault();
    if (calls !== null) pay(calls);
  }

  return (
    <form onSubmit={submit} className="flex flex-col gap-5">
      <CardField disabled={busy} problem={typed ?? refused} onReadyChange={setReady} onProblem={setTyped} />
      {state.step === 'waiting' && <WaitingNotice state={state} retryPreparation={retryPreparation} />}
      {state.step === 'too-many-holds' && (
        <TooManyHoldsNotice state={state} retryPreparation={retryPreparation} />
      )}
      {state.step === 'payable' && <HoldNote hold={state.hold} />}
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
            We hold your money until you have had the laptop for {clockDays('delivered')} days without a
            complaint, or say that all is well. If it is not sent within {clockDays('to_ship')} days, or gets
            lost, it comes back to you.
          </>
        ) : (
          <>
            We hold your money. It is released to the seller when you give the hand-over code, when you
            confirm the hand-over, or after {clockDays('held')} days without a complaint, and not before the
            meeting on which you agree. You can complain for {clockDays('released')} more days.
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
