import {
  type ApiAnswer,
  type CardOptions,
  type CardState,
  connectionProblem,
  type FontSource,
  type FormTree,
  type FromCard,
  type ToCard,
  unwrap,
} from '../messages.ts';

/** Thrown, under Stripe's name, where a page uses the library wrongly. */
export class IntegrationError extends Error {
  override readonly name = 'IntegrationError';
}

type Listener = (event: unknown) => void;

const classNames: Record<string, string> = {
  base: 'StripeElement',
  complete: 'StripeElement--complete',
  empty: 'StripeElement--empty',
  focus: 'StripeElement--focus',
  invalid: 'StripeElement--invalid',
  webkitAutofill: 'StripeElement--webkit-autofill',
};

let framesMade = 0;

/** The card field: a frame of the stand-in's own origin, so that the page never sees what is typed. */
export class CardElement {
  readonly #origin: string;
  readonly #key: string;
  readonly #fonts: FontSource[];
  readonly #forget: () => void;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #asks = new Map<number, (answer: ApiAnswer) => void>();
  #options: CardOptions;
  #container: HTMLElement | null = null;
  #frame: HTMLIFrameElement | null = null;
  #frameId = '';
  #listening = false;
  #waiting: ToCard[] = [];
  #destroyed = false;
  #nextAsk = 1;

  constructor(origin: string, key: string, options: CardOptions, fonts: FontSource[], forget: () => void) {
    this.#origin = origin;
    this.#key = key;
    this.#options = options;
    this.#fonts = fonts;
    this.#forget = forget;
  }

  /**
   * Registers a listener. Takes every name: Stripe's React wrapper registers whatever its caller listens to, and most
   * of those events belong to other kinds of element and never occur here.
   */
  on(name: string, listener: Listener): this {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return this;
  }

  once(name: string, listener: Listener): this {
    const first: Listener = (event) => {
      this.off(name, first);
      listener(event);
    };
    return this.on(name, first);
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
    framesMade += 1;
    this.#frameId = `card-${crypto.randomUUID()}`;
    this.#container = container;
    this.#frame = this.#createFrame();
    container.replaceChildren(this.#frame);
    this.#mark({ base: true, empty: true });
    window.addEventListener('message', this.#receive);
    document.addEventListener('click', this.#followLabel);
    this.#send({ type: 'start', options: this.#options, fonts: this.#fonts });
  }

  unmount(): void {
    window.removeEventListener('message', this.#receive);
    document.removeEventListener('click', this.#followLabel);
    this.#mark({ base: false, complete: false, empty: false, focus: false, invalid: false });
    this.#frame?.remove();
    this.#frame = null;
    this.#container = null;
    this.#listening = false;
    this.#waiting = [];
    for (const answer of this.#asks.values()) answer(connectionProblem);
    this.#asks.clear();
  }

  destroy(): void {
    this.unmount();
    this.#destroyed = true;
    this.#listeners.clear();
    this.#forget();
  }

  update(options: CardOptions): void {
    this.#options = { ...this.#options, ...options };
    this.#send({ type: 'update', options });
  }

  clear(): void {
    this.#send({ type: 'clear' });
  }

  focus(): void {
    this.#frame?.focus();
    this.#send({ type: 'focus' });
  }

  blur(): void {
    this.#send({ type: 'blur' });
    this.#frame?.blur();
  }

  /**
   * Lets the frame add its card to `parameters` and send them. Called by the library only.
   * @throws {IntegrationError} when the element is not on the page
   */
  _post(path: string, parameters: FormTree): Promise<ApiAnswer> {
    if (this.#frame === null) {
      throw new IntegrationError(
        'We could not retrieve data from the specified Element. Please make sure it is still mounted.',
      );
    }
    const ask = this.#nextAsk;
    this.#nextAsk += 1;
    return new Promise((resolve) => {
      this.#asks.set(ask, resolve);
      this.#send({ type: 'post', ask, path, parameters });
    });
  }

  #createFrame(): HTMLIFrameElement {
    const frame = document.createElement('iframe');
    frame.name = `__privateStripeFrame${framesMade}`;
    frame.title = 'Secure card payment input frame';
    frame.allow = 'payment *';
    frame.referrerPolicy = 'no-referrer';
    frame.src = `${this.#origin}/frames/card#${new URLSearchParams({
      id: this.#frameId,
      parentOrigin: location.origin,
      key: this.#key,
    })}`;
    Object.assign(frame.style, {
      display: 'block',
      width: '100%',
      height: '24px',
      border: '0',
      background: 'transparent',
      // A frame whose scheme differs from its page's would be painted on white.
      colorScheme: 'light',
    });
    return frame;
  }

  #send(message: ToCard): void {
    if (this.#frame === null) return;
    if (!this.#listening) this.#waiting.push(message);
    else this.#frame.contentWindow?.postMessage({ stripeFrame: this.#frameId, message }, this.#origin);
  }

  readonly #receive = (event: MessageEvent<unknown>): void => {
    if (event.origin !== this.#origin || event.source !== this.#frame?.contentWindow) return;
    const message = unwrap<FromCard>(event.data, this.#frameId);
    if (message === null) return;
    switch (message.type) {
      case 'listening':
        this.#listening = true;
        for (const waiting of this.#waiting.splice(0)) this.#send(waiting);
        break;
      case 'height':
        if (this.#frame !== null)
          this.#frame.style.height = `${Math.max(1, Math.min(400, message.pixels))}px`;
        break;
      case 'change':
        this.#showState(message.state);
        this.#emit('change', message.state);
        break;
      case 'answer':
        this.#asks.get(message.ask)?.(message.answer);
        this.#asks.delete(message.ask);
        break;
      case 'focus':
      case 'blur':
        this.#mark({ focus: message.type === 'focus' });
        this.#emit(message.type, { elementType: 'card' });
        break;
      default:
        this.#emit(message.type, { elementType: 'card' });
    }
  };

  /** A label `for` the container leads into the frame, as it would into an input. */
  readonly #followLabel = (event: MouseEvent): void => {
    const label = event.target instanceof Element ? event.target.closest('label') : null;
    if (label === null || this.#container === null) return;
    if (label.htmlFor === this.#container.id && label.htmlFor !== '') this.focus();
  };

  #showState(state: CardState): void {
    this.#mark({ complete: state.complete, empty: state.empty, invalid: state.error !== undefined });
  }

  #mark(states: Record<string, boolean>): void {
    for (const [state, on] of Object.entries(states)) {
      const names = (this.#options.classes?.[state] ?? classNames[state] ?? '').split(' ');
      for (const name of names) if (name !== '') this.#container?.classList.toggle(name, on);
    }
  }

  #emit(name: string, event: unknown): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) listener(event);
  }
}
