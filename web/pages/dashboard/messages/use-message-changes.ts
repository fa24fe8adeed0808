import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { pollWithoutStream } from '../../../live/poll-without-stream.ts';
import { useLive } from '../../../live/use-live.ts';

const isShown = () => navigator.onLine && document.visibilityState === 'visible';

/**
 * Reads conversations and messages anew when they have changed, and after a time without a connection once: the stream of changes
 * tells so when it is open again. While it is not open, they are read at intervals.
 */
export function useMessageChanges(): void {
  const queries = useQueryClient();
  const isOpen = useLive('messages', (id) => {
    if (id === undefined) return void queries.invalidateQueries({ queryKey: ['messages'] });
    for (const key of [['conversations'], ['conversation', id], ['pages', id]]) {
      void queries.invalidateQueries({ queryKey: ['messages', ...key] });
    }
  });
  useEffect(() => {
    if (isOpen) return;
    return pollWithoutStream(() => void queries.invalidateQueries({ queryKey: ['messages'] }), isShown);
  }, [queries, isOpen]);
}
