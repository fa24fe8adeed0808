import * as contract from '#contract/payments.ts';
import type { Serve } from '../http/serve.ts';
import { mapUnavailable, recordPayment } from './actions.ts';
import type { PaymentDependencies } from './dependencies.ts';
import { preparePayment } from './prepare.ts';

/** Routes for paying a booking. */
export function paymentRoutes(serve: Serve, dependencies: PaymentDependencies): void {
  serve(contract.createPaymentIntent, async ({ caller, body }) => {
    const prepared = await mapUnavailable(preparePayment(dependencies, caller, body));
    return { ...prepared, heldUntil: prepared.heldUntil?.toISOString() ?? null };
  });

  serve(contract.recordPayment, async ({ caller, body }) => ({
    acknowledged: true,
    insertedId: await mapUnavailable(recordPayment(dependencies, caller, body)),
  }));
}
