import Stripe from 'stripe';

/** Whether the same call may succeed later: 409 for a key or an object in use, 429, or a failure at Stripe. */
const isTemporaryStatus = (status: number | undefined) =>
  status === undefined || status === 409 || status === 429 || status >= 500;

/**
 * Whether Stripe rejects a call for good. Wrong keys and missing permissions count as temporary: once an operator has
 * corrected them, the same call succeeds.
 */
export function isPermanentError(error: InstanceType<typeof Stripe.errors.StripeError>): boolean {
  const isPermanent =
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeIdempotencyError ||
    error instanceof Stripe.errors.StripeCardError;
  return isPermanent && !isTemporaryStatus(error.statusCode);
}

/**
 * Creates Stripe's client. It speaks the version of Stripe's API that the installed library is pinned to, as the stand-in does:
 * every schema in this folder is of that version.
 * @param options.apiUrl the URL of the API; null for Stripe's own
 */
export function createStripeClient({ secretKey, apiUrl }: { secretKey: string; apiUrl: URL | null }): Stripe {
  return new Stripe(secretKey, {
    // Three attempts end before the client's timeout of 30 s, so that the client gets the shop's error message.
    timeout: 7_000,
    maxNetworkRetries: 2,
    telemetry: false,
    ...(apiUrl && {
      protocol: apiUrl.protocol === 'http:' ? 'http' : 'https',
      host: apiUrl.hostname,
      port: apiUrl.port || (apiUrl.protocol === 'http:' ? 80 : 443),
    }),
  });
}
