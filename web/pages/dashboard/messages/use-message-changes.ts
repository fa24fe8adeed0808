import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** How often a visible page asks for new messages, in milliseconds. */
const INTERVAL_MS = 15_000;

/** Refetches conversations and messages while the page is visible. */
export function useMessageChanges(): void {
  const queries = useQueryClient();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void queries.invalidateQueries({ queryKey: ['messages'] });
    }, INTERVAL_MS);
    return () => clearInterval(timer);
  }, [queries]);
}
