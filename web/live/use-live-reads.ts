import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { LIVE_PATH, type LiveChange } from '#contract/platform/live.ts';
import { useSessionStore } from '../session/session.tsx';
import { keepStreamOpen } from './keep-stream-open.ts';
import { pollWithoutStream } from './poll-without-stream.ts';
import { readChange } from './read-change.ts';

const isWanted = () => navigator.onLine && !document.hidden;

function watchWanted(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  document.addEventListener('visibilitychange', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
    document.removeEventListener('visibilitychange', listener);
  };
}

/**
 * Reads again what has changed for the signed-in person, at the server or in another tab: when the stream of changes tells so, each
 * time that it has opened, and at intervals while it is not open.
 */
export function useLiveReads(): void {
  const store = useSessionStore();
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    const ended = new AbortController();
    const environment = {
      open: (signal: AbortSignal) => store.run((actions) => actions.openStream(LIVE_PATH, signal)),
      isWanted,
      watchWanted,
    };
    const stream = {
      onChange: (change: LiveChange) => void readChange(queries, change),
      onAlive: () => setIsOpen(true),
      onEnd: () => setIsOpen(false),
    };
    void keepStreamOpen(environment, stream, ended.signal);
    return () => ended.abort();
  }, [store, queries]);
  useEffect(() => {
    if (!isOpen) return pollWithoutStream(() => void readChange(queries, { about: 'everything' }), isWanted);
  }, [isOpen, queries]);
}
