import {
  type ApiResponse,
  type CardOptions,
  callApi,
  connectionProblem,
  encodeForm,
  type FontSource,
  type FormTree,
} from '../messages.ts';
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

type ConfirmData = {
  payment_method?: string | { card?: unknown; billing_details?: Billing };
  receipt_email?: string;
  return_url?: string;
};

type ElementsOptions = { fonts?: FontSource[] };

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
  readonly #fonts: FontSource[];
  #card: CardElement | null = null;

  constructor(key: string, options: ElementsOptions) {
    this.#key = key;
    this.#fonts = (options.fonts ?? []).filter((font) => typeof font.src === 'string');
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
    this.#card = new CardElement({ origin, key: this.#key, fonts: this.#fonts, onDestroy }, options);
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

  elements(options: ElementsOptions = {}): Elements {
    return new Elements(this.#key, options);
  }

  async confirmCardPayment(
    clientSecret: string,
    data: ConfirmData = {},
    options: { handleActions?: boolean } = {},
  ): Promise<IntentResult> {
    const path = `/v1/payment_intents/${intentOf(clientSecret)}/confirm`;
    const { payment_method: method } = data;
    const common: FormTree = {
      key: this.#key,
      client_secret: clientSecret,
      expected_payment_method_type: 'card',
      use_stripe_sdk: true,
      receipt_email: data.receipt_email,
      return_url: data.return_url,
    };
    const response =
      isRecord(method) && method.card instanceof CardElement
        ? await method.card._post(path, {
            ...common,
            payment_method_data: billingForm(method.billing_details),
          })
        : await callApi(`${origin}${path}`, encodeForm({ ...common, payment_method: savedMethod(method) }));
    const result = intentResult(response);
    if (options.handleActions === false || 'error' in result) return result;
    return this.#handle(result.paymentIntent, clientSecret);
  }

  async retrievePaymentIntent(clientSecret: string): Promise<IntentResult> {
    const query = new URLSearchParams({ key: this.#key, client_secret: clientSecret });
    return intentResult(await callApi(`${origin}/v1/payment_intents/${intentOf(clientSecret)}?${query}`));
  }

  async handleNextAction({ clientSecret }: { clientSecret: string }): Promise<IntentResult> {
    const result = await this.retrievePaymentIntent(clientSecret);
    return 'error' in result ? result : this.#handle(result.paymentIntent, clientSecret);
  }

  handleCardAction(clientSecret: string): Promise<IntentResult> {
    return this.handleNextAction({ clientSecret });
  }

  async createPaymentMethod(data: {
    type?: string;
    card?: unknown;
    billing_details?: Billing;
  }): Promise<{ paymentMethod: Record<string, unknown> } | { error: Problem }> {
    if (!(data.card instanceof CardElement))
      throw new IntegrationError('A card Element is needed as `card`.');
    const form: FormTree = { key: this.#key, ...billingForm(data.billing_details) };
    const response = await data.card._post('/v1/payment_methods', form);
    return response.ok ? { paymentMethod: response.body } : { error: problemOf(response) };
  }

  async createToken(): Promise<{ error: Problem }> {
    return {
      error: {
        type: 'invalid_request_error',
        message:
          'Tokens belong to the Charges API, which the stand-in does not have; use createPaymentMethod.',
      },
    };
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

function billingForm(billing: Billing | undefined): FormTree {
  return { type: 'card', billing_details: billing === undefined ? undefined : { ...billing } };
}

function savedMethod(method: unknown): string | undefined {
  if (method === undefined || typeof method === 'string') return method;
  throw new IntegrationError(
    'payment_method needs a card Element as `card`, or must be the id of a payment method.',
  );
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
