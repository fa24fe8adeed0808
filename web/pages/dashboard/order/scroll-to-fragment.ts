/** A ref: scrolls to an element that is loaded after the page, if the address names it. */
export function scrollToFragment(element: HTMLElement | null): void {
  if (element !== null && location.hash === `#${element.id}`) element.scrollIntoView();
}
