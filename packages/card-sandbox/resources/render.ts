import type { Call } from '../api/endpoint.ts';
import type { ApiRecord } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { renderCharge } from './render-charge.ts';
import { renderDispute } from './render-dispute.ts';
import { renderIntent, renderIntentForBrowser } from './render-intent.ts';
import { renderPaymentMethod } from './render-payment-method.ts';
import { renderRefund } from './render-refund.ts';

/** Renders a record in Stripe's format. @param caller the key of the request; a browser gets only a part of an intent */
export function render(
  store: Store,
  record: ApiRecord,
  caller: Call['caller'] = 'secret',
): Record<string, unknown> {
  switch (record.kind) {
    case 'intent':
      return caller === 'secret' ? { ...renderIntent(store, record) } : renderIntentForBrowser(store, record);
    case 'charge':
      return { ...renderCharge(store, record) };
    case 'paymentMethod':
      return { ...renderPaymentMethod(record) };
    case 'refund':
      return { ...renderRefund(record) };
    case 'dispute':
      return { ...renderDispute(record) };
  }
}
