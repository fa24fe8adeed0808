import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { LIVE_PATH, type LiveChange } from '#contract/platform/live.ts';
import { useSession, useSessionStore } from '../session/session.tsx';
import type { SessionStore } from '../session/session-store.ts';
import { createLiveChanges, type LiveChanges } from './live-changes.ts';
import { pollWithoutStream } from './poll-without-stream.ts';

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

const ofStores = new WeakMap<SessionStore, LiveChanges>();

/** The changes for the user of a session, shared by all components. */
function liveChangesOf(store: SessionStore): LiveChanges {
  const known = ofStores.get(store);
  if (known !== undefined) return known;
  const changes = createLiveChanges({
    open: (signal) => store.run((actions) => actions.openStream(LIVE_PATH, signal)),
    isWanted,
    watchWanted,
  });
  ofStores.set(store, changes);
  return changes;
}

const notSignedIn = { watchOpen: () => () => undefined, isOpen: () => false };

/**
 * Calls back when something has changed for the signed-in user, at the server or in another tab, so that the component reads
 * it anew; at intervals while no changes arrive. Import it only where the component itself is loaded for signed-in users.
 * @param onChange gets the changed row's id, such as that of a conversation; undefined when anything may have changed, also
 *   each time that the stream has opened
 */
export function useLive(
  about: Exclude<LiveChange['about'], 'everything'>,
  onChange: (id: string | undefined) => void,
): void {
  const store = useSessionStore();
  const isSignedIn = useSession().status === 'signed-in';
  const notify = useEffectEvent((change: LiveChange) => {
    if (change.about === about || change.about === 'everything') onChange(change.id);
  });
  useEffect(() => {
    if (isSignedIn) return liveChangesOf(store).subscribe((change) => notify(change));
  }, [store, isSignedIn]);
  const { watchOpen, isOpen } = isSignedIn ? liveChangesOf(store) : notSignedIn;
  const isPolling = !useSyncExternalStore(watchOpen, isOpen, notSignedIn.isOpen) && isSignedIn;
  useEffect(() => {
    if (isPolling) return pollWithoutStream(() => notify({ about }), isWanted);
  }, [isPolling, about]);
}
