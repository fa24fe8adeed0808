import { useSyncExternalStore } from 'react';

function listen(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** Whether the browser is online. True on the server. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    listen,
    () => navigator.onLine,
    () => true,
  );
}

/** A bar at the top of the page while the browser is offline. */
export function OfflineBar() {
  const online = useOnline();
  return (
    <div role="status">
      {!online && (
        <p className="border-border border-b bg-primary-soft px-4 py-2 text-center text-sm">
          You are offline. This page stays as it is; nothing can be loaded or sent until you are back.
        </p>
      )}
    </div>
  );
}
