type Payment =
  | { step: 'ready' }
  | { step: 'paying' }
  | { step: 'refused'; reason: string }
  | { step: 'paid'; receipt: string };

type Event =
  | { type: 'submitted' }
  | { type: 'refused'; reason: string }
  | { type: 'confirmed'; receipt: string };

export function next(payment: Payment, event: Event): Payment {
  if (event.type === 'submitted') {
    // A second click during the first payment changes nothing.
    return payment.step === 'ready' || payment.step === 'refused' ? { step: 'paying' } : payment;
  }
  if (payment.step !== 'paying') return payment;
  return event.type === 'refused'
    ? { step: 'refused', reason: event.reason }
    : { step: 'paid', receipt: event.receipt };
}

// In the component: const [payment, dispatch] = useReducer(next, { step: 'ready' });
