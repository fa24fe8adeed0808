import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Space below the element, in pixels. */
const MARGIN = 16;

/** Makes an element end at the bottom of the window, or above an on-screen keyboard; below it if its content needs more room. */
export function useFillWindow(): RefObject<HTMLElement | null> {
  const element = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { visualViewport } = window;
    const resize = () => {
      if (element.current === null) return;
      const top = element.current.getBoundingClientRect().top + scrollY;
      element.current.style.minHeight = `${(visualViewport?.height ?? innerHeight) - top - MARGIN}px`;
    };
    resize();
    addEventListener('resize', resize);
    visualViewport?.addEventListener('resize', resize);
    // Something above the element appears or goes, such as the bar that says that one is offline.
    const observer = new ResizeObserver(resize);
    observer.observe(document.body);
    return () => {
      observer.disconnect();
      removeEventListener('resize', resize);
      visualViewport?.removeEventListener('resize', resize);
    };
  }, []);
  return element;
}
