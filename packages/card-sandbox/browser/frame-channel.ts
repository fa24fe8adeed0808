import { unwrap } from './messages.ts';

/** The connection between a frame and the page that created it. */
type FrameChannel<To extends { type: string }, From> = {
  /** The parameters in the URL fragment. */
  parameters: URLSearchParams;
  send(message: From): void;
  listen(receive: (message: To) => void): void;
};

/**
 * Reads the parent's origin from the URL fragment, and accepts messages only from the parent window at this origin.
 * @throws if the document is not in a frame that stripe.js created
 */
export function openFrameChannel<To extends { type: string }, From>(): FrameChannel<To, From> {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const id = parameters.get('id') ?? '';
  const parentOrigin = parameters.get('parentOrigin') ?? '';
  // Not every browser has `ancestorOrigins`; where it exists, it must match.
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
    parameters,
    send: (message) => window.parent.postMessage({ stripeFrame: id, message }, parentOrigin),
    listen: (receive) =>
      window.addEventListener('message', (event: MessageEvent<unknown>) => {
        if (event.source !== window.parent || event.origin !== parentOrigin) return;
        const message = unwrap<To>(event.data, id);
        if (message !== null) receive(message);
      }),
  };
}

/** Returns an element of this document. @throws if it is missing */
export function requireElement<E extends Element>(selector: string, kind: new () => E): E {
  const found = document.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`${selector} is missing from the page.`);
}
