import {
  type ApiResponse,
  type CardOptions,
  connectionProblem,
  type FormTree,
  type FromCard,
  type ToCard,
  unwrap,
} from '../messages.ts';

/** Thrown if a page uses the library wrongly. The name is Stripe's. */
export class IntegrationError extends Error {
  override readonly name = 'IntegrationError';
}

type Listener = (event: unknown) => void;

let frameCount = 0;

type CardConfig = { origin: string; key: string; onDestroy(): void };

/** The card field: a frame of the sandbox's origin, so that the page cannot read the card. */
export class CardElement {
  readonly #config: CardConfig;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #pendingRequests = new Map<number, (response: ApiResponse) => void>();
  #options: CardOptions;
  #container: HTMLElement | null = null;
  #frame: HTMLIFrameElement | null = null;
  #frameId = '';
  #listening = false;
  #queuedMessages: ToCard[] = [];
  #destroyed = false;
  #nextRequestId = 1;

  constructor(config: CardConfig, options: CardOptions) {
    this.#config = config;
    this.#options = options;
  }

  /**
   * Registers a listener. Accepts every event name, because Stripe's React wrapper registers listeners for the events of
   * all kinds of element.
   */
  on(name: string, listener: Listener): this {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return this;
  }

  off(name: string, listener?: Listener): this {
    if (listener === undefined) this.#listeners.delete(name);
    else this.#listeners.get(name)?.delete(listener);
    return this;
  }

  mount(target: string | HTMLElement): void {
    if (this.#destroyed) throw new IntegrationError('This Element has already been destroyed.');
    const container = typeof target === 'string' ? document.querySelector<HTMLElement>(target) : target;
    if (container === null)
      throw new IntegrationError(`The selector you specified (${target}) applies to no DOM elements.`);
    if (container === this.#container) return;
    this.unmount();
    frameCount += 1;
    this.#frameId = `card-${crypto.randomUUID()}`;
    this.#container = container;
    this.#frame = this.#createFrame();
    container.replaceChildren(this.#frame);
    container.classList.add('StripeElement');
    window.addEventListener('message', this.#receive);
    document.addEventListener('click', this.#followLabel);
    this.#send({ type: 'start', options: this.#options });
  }

  unmount(): void {
    window.removeEventListener('message', this.#receive);
    document.removeEventListener('click', this.#followLabel);
    this.#container?.classList.remove('StripeElement', 'StripeElement--focus');
    this.#frame?.remove();
    this.#frame = null;
    this.#container = null;
    this.#listening = false;
    this.#queuedMessages = [];
    for (const response of this.#pendingRequests.values()) response(connectionProblem);
    this.#pendingRequests.clear();
  }

  destroy(): void {
    this.unmount();
    this.#destroyed = true;
    this.#listeners.clear();
    this.#config.onDestroy();
  }

  update(options: CardOptions): void {
    this.#options = { ...this.#options, ...options };
    this.#send({ type: 'update', options });
  }

  focus(): void {
    this.#frame?.focus();
    this.#send({ type: 'focus' });
  }

  /**
   * Lets the frame add its card to `parameters` and send them. Only for this library.
   * @throws {IntegrationError} if the element is not mounted
   */
  _post(path: string, parameters: FormTree): Promise<ApiResponse> {
    if (this.#frame === null) {
      throw new IntegrationError(
        'We could not retrieve data from the specified Element. Please make sure it is still mounted.',
      );
    }
    const requestId = this.#nextRequestId;
    this.#nextRequestId += 1;
    return new Promise((resolve) => {
      this.#pendingRequests.set(requestId, resolve);
      this.#send({ type: 'post', requestId, path, parameters });
    });
  }

  #createFrame(): HTMLIFrameElement {
    const frame = document.createElement('iframe');
    frame.name = `__privateStripeFrame${frameCount}`;
    frame.title = 'Secure card payment input frame';
    frame.allow = 'payment *';
    frame.referrerPolicy = 'no-referrer';
    frame.src = `${this.#config.origin}/frames/card#${new URLSearchParams({
      id: this.#frameId,
      parentOrigin: location.origin,
      key: this.#config.key,
    })}`;
    // Browsers paint a frame whose color scheme differs from its page's on an opaque background.
    frame.style.cssText =
      'display: block; width: 100%; height: 24px; border: 0; background: transparent; color-scheme: light';
    return frame;
  }

  #send(message: ToCard): void {
    if (this.#frame === null) return;
    if (!this.#listening) this.#queuedMessages.push(message);
    else this.#frame.contentWindow?.postMessage({ stripeFrame: this.#frameId, message }, this.#config.origin);
  }

  readonly #receive = (event: MessageEvent<unknown>): void => {
    if (event.origin !== this.#config.origin || event.source !== this.#frame?.contentWindow) return;
    const message = unwrap<FromCard>(event.data, this.#frameId);
    if (message === null) return;
    switch (message.type) {
      case 'listening':
        this.#listening = true;
        for (const queued of this.#queuedMessages.splice(0)) this.#send(queued);
        break;
      case 'height':
        if (this.#frame !== null)
          this.#frame.style.height = `${Math.max(1, Math.min(400, message.pixels))}px`;
        break;
      case 'change':
        this.#emit('change', message.state);
        break;
      case 'response':
        this.#pendingRequests.get(message.requestId)?.(message.response);
        this.#pendingRequests.delete(message.requestId);
        break;
      case 'focus':
      case 'blur':
        this.#container?.classList.toggle('StripeElement--focus', message.type === 'focus');
        this.#emit(message.type, { elementType: 'card' });
        break;
      default:
        this.#emit(message.type, { elementType: 'card' });
    }
  };

  /** Focuses the frame on a click on a label of the container, as a browser does for an input. */
  readonly #followLabel = (event: MouseEvent): void => {
    const label = event.target instanceof Element ? event.target.closest('label') : null;
    if (label === null || this.#container === null) return;
    if (label.htmlFor === this.#container.id && label.htmlFor !== '') this.focus();
  };

  #emit(name: string, event: unknown): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) listener(event);
  }
}
