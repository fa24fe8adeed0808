/** What passes between the shop's page and the stand-in's frames. No card data is ever in it. */

export type CardProblem = { code: string; type: 'validation_error'; message: string };

export type CardState = {
  elementType: 'card';
  brand: string;
  complete: boolean;
  empty: boolean;
  error: CardProblem | undefined;
  value: { postalCode: string };
};

export type StyleRules = Record<string, unknown>;

export type CardOptions = {
  style?: Record<string, StyleRules>;
  value?: { postalCode?: string };
  hidePostalCode?: boolean;
  hideIcon?: boolean;
  iconStyle?: string;
  disabled?: boolean;
  classes?: Record<string, string>;
};

export type FontSource = {
  family: string;
  src: string;
  weight?: string;
  style?: string;
  unicodeRange?: string;
};

export type ApiAnswer = { ok: boolean; body: Record<string, unknown> };

/** From the page to the card's frame. */
export type ToCard =
  | { type: 'start'; options: CardOptions; fonts: FontSource[] }
  | { type: 'update'; options: CardOptions }
  | { type: 'focus' | 'blur' | 'clear' }
  | { type: 'post'; ask: number; path: string; parameters: FormTree };

/** From the card's frame to the page. */
export type FromCard =
  | { type: 'listening' | 'ready' | 'focus' | 'blur' | 'escape' }
  | { type: 'change'; state: CardState }
  | { type: 'height'; pixels: number }
  | { type: 'answer'; ask: number; answer: ApiAnswer };

/** Between the page and the authentication dialog's frame. */
export type ToAuthentication = { type: 'fail' };
export type FromAuthentication = { type: 'listening' | 'finished' };

/** Parameters before they are put into a form; undefined and null are left out. */
export type FormTree = { [name: string]: string | number | boolean | null | undefined | FormTree };

/** A message wrapped with the id of the frame it belongs to. */
type Envelope<Message> = { stripeFrame: string; message: Message };

/** Unwraps a message if it is addressed to this frame; who sent it is the caller's to check first. */
export function unwrap<Message extends { type: string }>(data: unknown, id: string): Message | null {
  return isEnvelope<Message>(data) && data.stripeFrame === id ? data.message : null;
}

function isEnvelope<Message>(data: unknown): data is Envelope<Message> {
  return (
    typeof data === 'object' &&
    data !== null &&
    'stripeFrame' in data &&
    'message' in data &&
    typeof data.message === 'object' &&
    data.message !== null
  );
}

/** Encodes with brackets, as Stripe's API reads it. */
export function encodeForm(tree: FormTree, prefix = '', form = new URLSearchParams()): URLSearchParams {
  for (const [name, value] of Object.entries(tree)) {
    const key = prefix === '' ? name : `${prefix}[${name}]`;
    if (value === null || value === undefined) continue;
    if (typeof value === 'object') encodeForm(value, key, form);
    else form.append(key, String(value));
  }
  return form;
}

export const connectionProblem: ApiAnswer = {
  ok: false,
  body: {
    error: {
      type: 'api_connection_error',
      message:
        'We are experiencing issues connecting to our payments provider. You have not been charged. ' +
        'Please check your internet connection and try again.',
    },
  },
};

/** Calls the stand-in's API; when nothing can be reached, answers with Stripe's connection error. */
export async function callApi(url: string, form?: URLSearchParams): Promise<ApiAnswer> {
  try {
    const answer = await fetch(url, form === undefined ? {} : { method: 'POST', body: form });
    return { ok: answer.ok, body: await answer.json() };
  } catch {
    return connectionProblem;
  }
}
