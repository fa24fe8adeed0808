import type { Endpoint } from '../api/endpoint.ts';
import { listEndpoint, retrieveEndpoint } from '../api/lists.ts';
import { newRecord } from '../identifiers.ts';
import type { Charge, EarlyFraudWarning } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { putAndEmit } from '../webhooks/events.ts';

/** Stores the warning of a card's issuer that a payment was fraud. It moves no money. Call it only inside the store's `run`. */
export function warnAbout(store: Store, charge: Charge, fraudType = 'misc'): void {
  const warning: EarlyFraudWarning = {
    ...newRecord('earlyFraudWarning', 'issfr'),
    charge: charge.id,
    intent: charge.intent,
    fraudType,
  };
  putAndEmit(store, null, warning, 'radar.early_fraud_warning.created');
}

const path = '/v1/radar/early_fraud_warnings';

export const earlyFraudWarningEndpoints: Endpoint[] = [
  listEndpoint('earlyFraudWarning', path, { payment_intent: ({ intent }) => intent }),
  retrieveEndpoint('earlyFraudWarning', path),
];
