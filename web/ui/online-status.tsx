import { useSyncExternalStore } from 'react';

function listen(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** Whether this browser has a connection; on the server always. */
export function useOnline(): boolean {
  return useSyncExternalStore(
    listen,
    () => navigator.onLine,
    () => true,
  );
}

/** Says at the top of the page that there is no connection, as long as there is none. */
export function OfflineBar() {
  const online = useOnline();
  return (
    <div role="status">
      {!online && (
        <p className="border-line border-b bg-orange-soft px-4 py-2 text-center text-sm">
          You are offline. What is on this page stays; anything new has to wait.
        </p>
      )}
    </div>
  );
}
