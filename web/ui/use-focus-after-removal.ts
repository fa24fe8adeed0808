import { type RefObject, useLayoutEffect } from 'react';
import { moveFocusTo } from './route-announcer.tsx';

/**
 * Moves the focus to the heading of the page when the component is removed with the focused element, as after a decision that takes
 * its subject from a list. The browser would leave the focus nowhere.
 * @param container the element of the component
 */
export function useFocusAfterRemoval(container: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = container.current;
    return () => {
      // The elements are still in the document when the cleanup of a layout effect runs.
      if (element?.contains(document.activeElement)) moveFocusTo('');
    };
  }, [container]);
}
