/** The messages between the page and the frames. They never contain card data. */

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
  disabled?: boolean;
};

export type ApiResponse = { ok: boolean; body: Record<string, unknown> };

/** From the page to the card's frame. */
export type ToCard =
  | { type: 'start'; options: CardOptions }
  | { type: 'update'; options: CardOptions }
  | { type: 'focus' }
  | { type: 'post'; requestId: number; path: string; parameters: FormTree };

/** From the card's frame to the page. */
export type FromCard =
  | { type: 'listening' | 'ready' | 'focus' | 'blur' | 'escape' }
  | { type: 'change'; state: CardState }
  | { type: 'height'; pixels: number }
  | { type: 'response'; requestId: number; response: ApiResponse };

/** Between the page and the authentication dialog's frame. */
export type ToAuthentication = { type: 'fail' };
export type FromAuthentication = { type: 'listening' | 'finished' };

/** Parameters before form encoding, which omits undefined and null. */
export type FormTree = { [name: string]: string | number | boolean | null | undefined | FormTree };

/** A message with the id of its frame. */
type Envelope<Message> = { stripeFrame: string; message: Message };

/** Returns the message if it is for this frame, otherwise null. The caller must check the sender first. */
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

/** Encodes nested parameters with brackets, as Stripe's API expects them. */
export function encodeForm(tree: FormTree, prefix = '', form = new URLSearchParams()): URLSearchParams {
  for (const [name, value] of Object.entries(tree)) {
    const key = prefix === '' ? name : `${prefix}[${name}]`;
    if (value === null || value === undefined) continue;
    if (typeof value === 'object') encodeForm(value, key, form);
    else form.append(key, String(value));
  }
  return form;
}

export const connectionProblem: ApiResponse = {
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

/** Calls the API. Returns Stripe's connection error if it cannot be reached. */
export async function callApi(url: string, form?: URLSearchParams): Promise<ApiResponse> {
  try {
    const response = await fetch(url, form === undefined ? {} : { method: 'POST', body: form });
    return { ok: response.ok, body: await response.json() };
  } catch {
    return connectionProblem;
  }
}
