import type Stripe from 'stripe';
import type { Endpoint } from '../api/endpoint.ts';
import { listAndRetrieveEndpoints } from '../api/lists.ts';
import { newId, nowInSeconds } from '../identifiers.ts';
import type { Charge, EarlyFraudWarning } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { putAndEmit } from '../webhooks/events.ts';

/** Stores the warning of a card's issuer that a payment was fraud. It moves no money. Call it only inside the store's `run`. */
export function warnAbout(store: Store, charge: Charge, fraudType = 'misc'): void {
  store.put({ ...charge, willBeWarnedAbout: false });
  const warning: EarlyFraudWarning = {
    kind: 'earlyFraudWarning',
    id: newId('issfr'),
    created: nowInSeconds(),
    charge: charge.id,
    intent: charge.intent,
    fraudType,
  };
  putAndEmit(store, null, warning, 'radar.early_fraud_warning.created');
}

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

export const earlyFraudWarningEndpoints = (store: Store): Endpoint[] =>
  listAndRetrieveEndpoints(store, 'earlyFraudWarning', '/v1/radar/early_fraud_warnings');
