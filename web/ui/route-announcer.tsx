import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';

/** The element that an URL's hash names. */
const named = (hash: string): HTMLElement | null =>
  hash === '' ? null : document.getElementById(hash.slice(1));

/**
 * Returns the element to focus after a navigation and makes it focusable: the target of the URL's hash, else the h1,
 * else the main element.
 */
export function focusTarget(hash: string): HTMLElement | null {
  const target =
    named(hash) ?? document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main');
  if (target !== null && !target.hasAttribute('tabindex')) target.tabIndex = -1;
  return target;
}

/**
 * Focuses the {@link focusTarget}, without the focus ring of a control. A target that is rendered later gets the focus then, unless
 * the person has moved it by then.
 */
export function moveFocusTo(hash: string): void {
  const target = focusTarget(hash);
  target?.focus({ preventScroll: hash === '', focusVisible: false });
  if (target === named(hash) || (hash === '' && target?.tagName === 'H1')) return;
  // Loaded only where it is needed: public pages have their headings from the start. If it cannot be, the focus stays.
  void import('./late-focus.ts').then(
    ({ focusWhenRendered }) => focusWhenRendered(hash, target, focusTarget),
    () => undefined,
  );
}

/**
 * Announces the title after a client-side navigation and moves the focus to the new page. Browsers do neither, because
 * the document stays the same.
 */
export function RouteAnnouncer() {
  const { pathname, hash } = useLocation();
  const [title, setTitle] = useState('');
  const last = useRef({ pathname, hash });
  useEffect(() => {
    const from = last.current;
    last.current = { pathname, hash };
    const isOther = from.pathname !== pathname;
    if (!isOther && (from.hash === hash || hash === '')) return;
    if (isOther) setTitle(document.title);
    // An open dialog keeps the focus. A closing one moves it by itself.
    if (document.activeElement?.closest('[role="dialog"], [role="alertdialog"]')) return;
    moveFocusTo(hash);
  }, [pathname, hash]);
  return (
    <p aria-live="polite" className="sr-only">
      {title}
    </p>
  );
}
