import { unwrap } from './messages.ts';

/** A framed page's line to the one page that made it. */
type FrameChannel<To extends { type: string }, From> = {
  address: URLSearchParams;
  send(message: From): void;
  listen(receive: (message: To) => void): void;
};

/**
 * Reads from the address who made this frame, and takes messages from that window and origin alone.
 * @throws when the page was opened in another way
 */
export function openChannel<To extends { type: string }, From>(): FrameChannel<To, From> {
  const address = new URLSearchParams(location.hash.slice(1));
  const id = address.get('id') ?? '';
  const parentOrigin = address.get('parentOrigin') ?? '';
  // Not every browser tells who the ancestors are; those that do must agree.
  const ancestor = location.ancestorOrigins?.[0] ?? parentOrigin;
  if (
    window.parent === window ||
    id === '' ||
    !/^https?:\/\//.test(parentOrigin) ||
    ancestor !== parentOrigin
  ) {
    throw new Error('This page belongs into a frame that stripe.js makes.');
  }
  return {
    address,
    send: (message) => window.parent.postMessage({ stripeFrame: id, message }, parentOrigin),
    listen: (receive) =>
      window.addEventListener('message', (event: MessageEvent<unknown>) => {
        if (event.source !== window.parent || event.origin !== parentOrigin) return;
        const message = unwrap<To>(event.data, id);
        if (message !== null) receive(message);
      }),
  };
}

/** A part of this page's own markup. @throws when it is not there */
export function part<E extends Element>(selector: string, kind: new () => E): E {
  const found = document.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`${selector} is missing from the page.`);
}
