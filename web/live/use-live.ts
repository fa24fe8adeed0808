import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { LIVE_PATH, type LiveChange } from '#contract/platform/live.ts';
import { openTabChannel } from '../session/identity/sign-in-lookup.ts';
import { useSession, useSessionStore } from '../session/session.tsx';
import type { SessionStore } from '../session/session-store.ts';
import { createLiveChanges, LIVE_NAME, type LiveChanges } from './live-changes.ts';
import { pollWithoutStream } from './poll-without-stream.ts';

function onWake(listener: () => void): () => void {
  const onVisible = () => {
    if (!document.hidden) listener();
  };
  addEventListener('online', listener);
  addEventListener('offline', listener);
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
    document.removeEventListener('visibilitychange', onVisible);
  };
}

async function asOnlyTab(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  // Undefined in older browsers and on pages over plain HTTP, contrary to its type.
  const locks: LockManager | undefined = navigator.locks;
  if (locks === undefined) return work();
  await locks.request(LIVE_NAME, { signal }, work).catch((error: unknown) => {
    // The tab no longer waits for the lock.
    if (!signal.aborted) throw error;
  });
}

const ofStores = new WeakMap<SessionStore, LiveChanges>();

/** The changes for the user of a session, shared by all components. */
function liveChangesOf(store: SessionStore): LiveChanges {
  const known = ofStores.get(store);
  if (known !== undefined) return known;
  const changes = createLiveChanges({
    open: (signal) => store.run((actions) => actions.openStream(LIVE_PATH, signal)),
    isOnline: () => navigator.onLine,
    onWake,
    openChannel: (onMessage) => openTabChannel(onMessage, LIVE_NAME),
    asOnlyTab,
  });
  ofStores.set(store, changes);
  return changes;
}

const notSignedIn = { watchOpen: () => () => undefined, isOpen: () => false };

const canRead = () => navigator.onLine && document.visibilityState === 'visible';

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
    // iPhones suspend the tab that has the stream of all tabs.
    if (isPolling) return pollWithoutStream(() => notify({ about }), canRead);
  }, [isPolling, about]);
}
