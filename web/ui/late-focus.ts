/**
 * Moves the focus on to the right element when it is rendered later, because its data are loaded, unless the person has moved the
 * focus by then.
 * @param hash the URL's hash, which names the right element; when empty, it is the h1
 * @param focused what has the focus meanwhile
 * @param find returns the best element that there is
 */
export function focusWhenRendered(
  hash: string,
  focused: HTMLElement | null,
  find: (hash: string) => HTMLElement | null,
): void {
  let current = focused;
  function update() {
    const { activeElement } = document;
    if (activeElement !== current && activeElement !== document.body) return observer.disconnect();
    const next = find(hash);
    if (next === current) return;
    current = next;
    const isRight = hash === '' ? next?.tagName === 'H1' : next?.id === hash.slice(1);
    // After a navigation the h1 is in view.
    if (isRight && hash !== '') next?.scrollIntoView();
    next?.focus({ preventScroll: true, focusVisible: false });
    if (isRight) observer.disconnect();
  }
  const observer = new MutationObserver(update);
  observer.observe(document.body, { childList: true, subtree: true });
  update();
}
