import { type ApiResponse, type CardOptions, callApi, connectionProblem } from '../messages.ts';
import { openAuthentication } from './authentication.ts';
import { CardElement, IntegrationError } from './card-element.ts';

type Problem = Record<string, unknown>;
type IntentResult = { paymentIntent: Record<string, unknown> } | { error: Problem };
type Billing = {
  name?: string;
  email?: string;
  phone?: string;
  address?: Record<string, string | undefined>;
};

type ConfirmData = { payment_method?: { card?: unknown; billing_details?: Billing } };

const origin = ownOrigin();

function ownOrigin(): string {
  const script = document.currentScript;
  if (script instanceof HTMLScriptElement) return new URL(script.src).origin;
  throw new Error('stripe.js must be loaded by a script element.');
}

function intentOf(clientSecret: string): string {
  const [, id] = /^(pi_[A-Za-z0-9]+)_secret_[A-Za-z0-9]+$/.exec(clientSecret) ?? [];
  if (id === undefined) {
    throw new IntegrationError(
      `Invalid value for paymentIntent client secret: value should be a client secret of the form \${id}_secret_\${secret}.`,
    );
  }
  return id;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function intentResult(response: ApiResponse): IntentResult {
  if (response.ok) return { paymentIntent: response.body };
  return { error: problemOf(response) };
}

function problemOf(response: ApiResponse): Problem {
  const { error } = response.body;
  return isRecord(error) ? error : problemOf(connectionProblem);
}

/** The elements of one form. Only the card element exists. */
class Elements {
  readonly #key: string;
  #card: CardElement | null = null;

  constructor(key: string) {
    this.#key = key;
  }

  create(type: string, options: CardOptions = {}): CardElement {
    if (type !== 'card')
      throw new IntegrationError(`The stand-in has no Element of type ${type}, only card.`);
    if (this.#card !== null) {
      throw new IntegrationError('Can only create one Element of type card through `elements`.');
    }
    const onDestroy = () => {
      this.#card = null;
    };
    this.#card = new CardElement({ origin, key: this.#key, onDestroy }, options);
    return this.#card;
  }

  /** Accepts the name of the type or, from React wrappers, a component with that name. */
  getElement(type: unknown): CardElement | null {
    const name = typeof type === 'function' && '__elementType' in type ? type.__elementType : type;
    return name === 'card' ? this.#card : null;
  }

  update(): this {
    return this;
  }
}

class StripeClient {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  elements(): Elements {
    return new Elements(this.#key);
  }

  async confirmCardPayment(clientSecret: string, data: ConfirmData = {}): Promise<IntentResult> {
    const { card, billing_details: billing } = data.payment_method ?? {};
    if (!(card instanceof CardElement))
      throw new IntegrationError('payment_method needs a card Element as `card`.');
    const response = await card._post(`/v1/payment_intents/${intentOf(clientSecret)}/confirm`, {
      key: this.#key,
      client_secret: clientSecret,
      expected_payment_method_type: 'card',
      use_stripe_sdk: true,
      payment_method_data: { type: 'card', billing_details: billing && { ...billing } },
    });
    const result = intentResult(response);
    return 'error' in result ? result : this.#handle(result.paymentIntent, clientSecret);
  }

  async retrievePaymentIntent(clientSecret: string): Promise<IntentResult> {
    const query = new URLSearchParams({ key: this.#key, client_secret: clientSecret });
    return intentResult(await callApi(`${origin}/v1/payment_intents/${intentOf(clientSecret)}?${query}`));
  }

  /** React's `<Elements>` takes only an object with this and the next, which the shop does not call. */
  async createToken(): Promise<{ error: Problem }> {
    return { error: { type: 'invalid_request_error', message: 'The stand-in has only confirmCardPayment.' } };
  }

  createPaymentMethod(): Promise<{ error: Problem }> {
    return this.createToken();
  }

  registerAppInfo(): void {
    // Stripe collects statistics with this; the sandbox does not.
  }

  _registerWrapper(): void {
    // As above.
  }

  async #handle(intent: Record<string, unknown>, clientSecret: string): Promise<IntentResult> {
    if (intent.status !== 'requires_action') return { paymentIntent: intent };
    if (!(await openAuthentication(origin, this.#key, intentOf(clientSecret), clientSecret))) {
      return { error: problemOf(connectionProblem) };
    }
    const after = await this.retrievePaymentIntent(clientSecret);
    if ('error' in after || after.paymentIntent.status === 'succeeded') return after;
    const { last_payment_error: error, ...rest } = after.paymentIntent;
    if (isRecord(error))
      return { error: { ...error, payment_intent: { ...rest, last_payment_error: error } } };
    return {
      error: {
        type: 'invalid_request_error',
        code: 'payment_intent_unexpected_state',
        message: `This PaymentIntent has a status of ${String(rest.status)}.`,
        payment_intent: rest,
      },
    };
  }
}

function Stripe(key: unknown): StripeClient {
  if (typeof key !== 'string' || key === '')
    throw new IntegrationError('Missing value for Stripe(): apiKey should be a string.');
  if (key.startsWith('sk_')) {
    throw new IntegrationError(
      'You should not use your secret key with Stripe.js. Please pass a publishable key instead.',
    );
  }
  return new StripeClient(key);
}

/** The release that `@stripe/stripe-js` expects. */
Stripe.version = 'endive';

Object.assign(window, { Stripe });
