import { useCallback, useEffect, useRef } from 'react';

/**
 * Returns a function that tells whether the component is mounted. A response that arrives after unmounting must not
 * navigate or close a dialog, because the user is on another page or in another dialog by then.
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
