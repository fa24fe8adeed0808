/**
 * Moves the focus on to the right element when it is rendered later, because its data are loaded, unless the person has moved the
 * focus by then.
 * @param focused what has the focus meanwhile
 * @param find returns the best element that there is
 */
export function focusWhenRendered(
  focused: HTMLElement | null,
  find: () => HTMLElement | null,
  isRight: (element: HTMLElement | null) => boolean,
): void {
  let current = focused;
  function update() {
    const { activeElement } = document;
    if (activeElement !== current && activeElement !== document.body) return observer.disconnect();
    const next = find();
    if (next === current) return;
    current = next;
    // A heading of the page is in view after the navigation already.
    if (next?.tagName !== 'H1') next?.scrollIntoView();
    next?.focus({ preventScroll: true, focusVisible: false });
    if (isRight(next)) observer.disconnect();
  }
  const observer = new MutationObserver(update);
  observer.observe(document.body, { childList: true, subtree: true });
  update();
}
