import { tryStorage } from '../ui/browser-storage.ts';
import { STORAGE_NAME } from './identity/sign-in-lookup.ts';

/** The storage key of this browser's push subscription: its id in the shop. */
export const PUSH_KEY = 'coomercioPush';

/** How the storage keys of drafts in sessionStorage begin. */
export const DRAFTS_KEY = 'coomercioDraft:';

/** How the storage keys of typed and unsent messages begin. */
export const MESSAGES_KEY = 'coomercioMessages:';

/**
 * The entries that `forgetPrivateData` keeps: settings of this browser, the mark by which sign-in knows this device, and two that
 * have an end of their own: the sign-in, and the push subscription. Every other entry of the shop is taken for private.
 */
const kept: readonly string[] = ['coomercioTheme', 'coomercioDevice', STORAGE_NAME, PUSH_KEY];

/**
 * Removes what local and session storage keep of the user: drafts, unsent messages, laptops that were looked at. Lists and drafts in
 * memory follow the event, which browsers send to other tabs only.
 */
export function forgetPrivateData(): void {
  for (const open of [() => localStorage, () => sessionStorage]) {
    tryStorage(() => {
      const storage = open();
      for (const key of Object.keys(storage)) {
        if (key.startsWith('coomercio') && !kept.includes(key)) storage.removeItem(key);
      }
    });
  }
  // Without a key, as after `localStorage.clear()`.
  dispatchEvent(new StorageEvent('storage'));
}

/** Whether this browser has a message, or this tab what was typed in a form, that was not sent. */
const hasUnsent = (): boolean =>
  tryStorage(
    () =>
      Object.keys(localStorage).some((key) => key.startsWith(MESSAGES_KEY)) ||
      Object.keys(sessionStorage).some((key) => key.startsWith(DRAFTS_KEY)),
  ) ?? false;

/** Asks before a sign-out deletes what was typed. @returns whether the sign-out may go on */
export function confirmSignOut(): boolean {
  if (!hasUnsent()) return true;
  return confirm(
    'Sign out and delete what was not sent? This browser keeps a message, a laptop or a form that you have typed.',
  );
}

/** Ends this browser's push subscription. The shop deletes its part when the session ends, or when it is told. */
export async function endPush(): Promise<void> {
  if (tryStorage(() => localStorage.getItem(PUSH_KEY)) === null) return;
  tryStorage(() => localStorage.removeItem(PUSH_KEY));
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
