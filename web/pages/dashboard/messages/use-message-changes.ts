import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLive } from '../../../live/use-live.ts';

/** How often a visible page reads what is new by itself, in case the stream of changes is down, in milliseconds. */
const INTERVAL_MS = 60_000;

/** Reads conversations and messages anew when they have changed. */
export function useMessageChanges(): void {
  const queries = useQueryClient();
  useLive('messages', (id) => {
    if (id === undefined) return void queries.invalidateQueries({ queryKey: ['messages'] });
    for (const key of [['conversations'], ['conversation', id], ['pages', id]]) {
      void queries.invalidateQueries({ queryKey: ['messages', ...key] });
    }
  });
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void queries.invalidateQueries({ queryKey: ['messages'] });
    }, INTERVAL_MS);
    return () => clearInterval(timer);
  }, [queries]);
}
