import Stripe from 'stripe';
import * as z from 'zod/mini';

export type StripeError = InstanceType<typeof Stripe.errors.StripeError>;

/** Whether the same call may succeed later: 409 for a key or an object in use, 429, or a failure at Stripe. */
const isTemporaryStatus = (status: number | undefined) =>
  status === undefined || status === 409 || status === 429 || status >= 500;

/**
 * Whether Stripe rejects a call for good. Wrong keys and missing permissions count as temporary: once an operator has
 * corrected them, the same call succeeds.
 */
export function isPermanentError(error: StripeError): boolean {
  const isPermanent =
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeIdempotencyError ||
    error instanceof Stripe.errors.StripeCardError;
  return isPermanent && !isTemporaryStatus(error.statusCode);
}

/** The errors of an interface of the shop. */
export interface PortErrors {
  /** Thrown when the same call can succeed later. */
  Unavailable: new (
    message: string,
    options?: ErrorOptions,
  ) => Error;
  /** Converts an error of a call that Stripe rejects for good; null when a retry can succeed. */
  toRefusal(error: StripeError): Error | null;
}

/** Converts an error of a call to Stripe. */
function toPortError(cause: unknown, { Unavailable, toRefusal }: PortErrors): unknown {
  // Stripe's library throws a TypeError for a response such as `null`.
  if (cause instanceof TypeError) {
    return new Unavailable('The card processor answered in an unexpected shape', { cause });
  }
  if (!(cause instanceof Stripe.errors.StripeError)) return cause;
  return toRefusal(cause) ?? new Unavailable(`The card processor failed: ${cause.type}`, { cause });
}

/** Creates the function that awaits calls to Stripe for an interface of the shop, and parses their responses. */
export const createReader =
  (errors: PortErrors) =>
  /**
   * @param recover returns another result for an error, or undefined
   * @throws the errors of the interface
   */
  async <Shape extends z.ZodMiniType, Other = never>(
    shape: Shape,
    call: Promise<unknown>,
    recover: (error: unknown) => Other | Promise<Other> | undefined = () => undefined,
  ): Promise<z.output<Shape> | Other> => {
    try {
      const parsed = z.safeParse(shape, await call);
      if (parsed.success) return parsed.data;
      const fields = parsed.error.issues.map(({ path }) => path.join('.')).join(', ');
      throw new errors.Unavailable(`The card processor answered in an unexpected shape (${fields})`, {
        cause: parsed.error,
      });
    } catch (error) {
      const other = await recover(error);
      if (other !== undefined) return other;
      throw toPortError(error, errors);
    }
  };

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
