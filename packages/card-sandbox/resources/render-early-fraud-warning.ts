import type Stripe from 'stripe';
import type { EarlyFraudWarning } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';

/** Renders a warning in Stripe's format. It is actionable until its charge is disputed or wholly refunded. */
export function renderEarlyFraudWarning(
  store: Store,
  warning: EarlyFraudWarning,
): Stripe.Radar.EarlyFraudWarning {
  const charge = store.find('charge', warning.charge);
  return {
    id: warning.id,
    object: 'radar.early_fraud_warning',
    actionable: charge?.dispute === null && charge.amountRefunded < charge.amount,
    charge: warning.charge,
    created: warning.created,
    fraud_type: warning.fraudType,
    livemode: false,
    payment_intent: warning.intent,
  };
}
