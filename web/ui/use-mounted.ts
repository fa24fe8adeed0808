import { useCallback, useEffect, useRef } from 'react';

/**
 * Returns a function that says whether the component is still mounted. An answer that arrives later must not navigate
 * or close a dialog: by then the person is on another page, or in another dialog.
 */
export function useMounted(): () => boolean {
  const mounted = useRef(false);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  return useCallback(() => mounted.current, []);
}
