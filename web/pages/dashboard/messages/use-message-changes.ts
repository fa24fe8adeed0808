import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { pollWithoutStream } from '../../../live/poll-without-stream.ts';
import { useLive } from '../../../live/use-live.ts';
import { readAnew } from '../../../requests/read-anew.ts';

const canRead = () => navigator.onLine && document.visibilityState === 'visible';

/**
 * Refetches conversations and messages when they change, and once when the stream reopens. Polls while it is closed.
 */
export function useMessageChanges(): void {
  const queries = useQueryClient();
  const isOpen = useLive('messages', (id) => {
    if (id === undefined) return void readAnew(queries, { queryKey: ['messages'] });
    for (const key of [['conversations'], ['conversation', id], ['pages', id]]) {
      void readAnew(queries, { queryKey: ['messages', ...key] });
    }
  });
  useEffect(() => {
    if (isOpen) return;
    return pollWithoutStream(() => void queries.invalidateQueries({ queryKey: ['messages'] }), canRead);
  }, [queries, isOpen]);
}
