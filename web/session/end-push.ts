import { tryStorage } from '../ui/browser-storage.ts';

/** The storage key of this browser's push subscription: its id in the shop. */
export const PUSH_KEY = 'coomercioPush';

/** Ends this browser's push subscription. The shop deletes its part when the session ends, or when it is told. */
export async function endPush(): Promise<void> {
  if (tryStorage(() => localStorage.getItem(PUSH_KEY)) === null) return;
  tryStorage(() => localStorage.removeItem(PUSH_KEY));
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
