import { useEffect } from 'react';
import { moveFocusTo } from './route-announcer.tsx';

/** Ancestors of an element, the nearest first. */
function ancestorsOf(element: Element): Element[] {
  const found: Element[] = [];
  for (let at = element.parentElement; at !== null; at = at.parentElement) found.push(at);
  return found;
}

/**
 * Moves the focus to the heading of the nearest remaining part of the page when the focused element is removed, as after a form is
 * done. The browser would leave the focus nowhere, so that Tab begins at the top and screen readers lose their place. Begins with
 * the target of the URL's hash.
 */
export function useKeepFocus(): void {
  useEffect(() => {
    // The browser does not find the target of a new document: the server has not rendered it.
    if (location.hash !== '') moveFocusTo(location.hash);
  }, []);
  useEffect(() => {
    let focused: { element: Element; byKeyboard: boolean } | null = null;
    /** The ancestors of the focused element, then those of the last one in the page: a dialog is removed as a whole. */
    let ancestors: Element[] = [];
    let ancestorsInPage: Element[] = [];

    function remember({ target }: FocusEvent) {
      if (!(target instanceof Element)) return;
      focused = { element: target, byKeyboard: target.matches(':focus-visible') };
      ancestors = ancestorsOf(target);
      if (target.closest('main') !== null) ancestorsInPage = ancestors;
    }

    function recover(byKeyboard: boolean) {
      if (document.activeElement !== document.body) return;
      const part = [...ancestors, ...ancestorsInPage].find(
        (element) => element.isConnected && element.matches('section, article, main, [role=dialog]'),
      );
      // The first heading of the dashboard’s main element is one of its links.
      const target = part?.querySelector('h1') ?? part?.querySelector('h2, h3') ?? part;
      if (!(target instanceof HTMLElement)) return;
      if (!target.hasAttribute('tabindex')) target.tabIndex = -1;
      const { top, bottom } = (part ?? target).getBoundingClientRect();
      // After a click the page stays where it is, unless it became so short that the part is out of view.
      const preventScroll = !byKeyboard && bottom > 0 && top < innerHeight;
      target.focus({ preventScroll, focusVisible: false });
    }

    const observer = new MutationObserver(() => {
      if (focused === null || focused.element.isConnected) return;
      const { byKeyboard } = focused;
      focused = null;
      // Whoever removed it may move the focus itself; a closing dialog does so in the next frame.
      requestAnimationFrame(() => requestAnimationFrame(() => recover(byKeyboard)));
    });
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', remember);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', remember);
    };
  }, []);
}
