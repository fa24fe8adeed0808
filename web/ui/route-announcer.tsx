import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';

/**
 * Where somebody goes on who has come to a page, ready to take the focus: the part that the address names, else the
 * heading, else, while that is still loading, the page.
 */
export function placeToGoOn(hash: string): HTMLElement | null {
  const named = hash === '' ? null : document.getElementById(hash.slice(1));
  const place = named ?? document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main');
  if (place !== null && !place.hasAttribute('tabindex')) place.tabIndex = -1;
  return place;
}

/** Lets somebody go on from there; without a ring, which would look like that of a control. */
export function goOnFrom(hash: string): void {
  placeToGoOn(hash)?.focus({ preventScroll: true, focusVisible: false });
}

/**
 * A page that is opened without a new document comes unheard, and leaves the focus on a link that may be gone: its
 * title is read out, and the focus goes to where the page begins.
 */
export function Arrival() {
  const { pathname, hash } = useLocation();
  const [title, setTitle] = useState('');
  const last = useRef({ pathname, hash });
  useEffect(() => {
    const from = last.current;
    last.current = { pathname, hash };
    const isOther = from.pathname !== pathname;
    if (!isOther && (from.hash === hash || hash === '')) return;
    if (isOther) setTitle(document.title);
    // A dialog keeps the focus: one that opens with the page, and one that gives it on while it closes.
    if (document.activeElement?.closest('[role="dialog"], [role="alertdialog"]')) return;
    goOnFrom(hash);
  }, [pathname, hash]);
  return (
    <p aria-live="polite" className="sr-only">
      {title}
    </p>
  );
}
