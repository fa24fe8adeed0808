import { tryStorage } from '../ui/browser-storage.ts';
import { STORAGE_NAME } from './identity/sign-in-lookup.ts';

/** The storage key of this browser's push subscription: its id in the shop. */
export const PUSH_KEY = 'coomercioPush';

/** How the storage keys of drafts in sessionStorage begin. */
export const DRAFTS_KEY = 'coomercioDraft:';

/** Held by each tab that keeps a draft: sessionStorage is visible in its own tab only. Ends with the tab. */
const DRAFTS_LOCK = 'coomercioDrafts';

/** How the storage keys of typed and unsent messages begin. */
export const MESSAGES_KEY = 'coomercioMessages:';

/**
 * The entries that `forgetPrivateData` keeps: settings of this browser, the mark by which sign-in knows this device, and two that
 * have an end of their own: the sign-in, and the push subscription. Every other entry of the shop is taken for private.
 */
const kept: readonly string[] = ['coomercioTheme', 'coomercioDevice', STORAGE_NAME, PUSH_KEY];

/** Undefined in older browsers and on pages over plain HTTP, contrary to its type. */
const locks = (): LockManager | undefined => navigator.locks;

/** Whether this tab keeps what was typed in a form. */
const hasDraft = (): boolean =>
  tryStorage(() => Object.keys(sessionStorage).some((key) => key.startsWith(DRAFTS_KEY))) ?? false;

let releaseDrafts: (() => void) | null = null;

/** Lets other tabs know whether this tab keeps a draft. To be called after each change of them, and when a page is loaded. */
export function announceDrafts(): void {
  if (!hasDraft()) {
    releaseDrafts?.();
    releaseDrafts = null;
  } else if (releaseDrafts === null) {
    const { promise, resolve } = Promise.withResolvers<void>();
    releaseDrafts = resolve;
    locks()
      ?.request(DRAFTS_LOCK, { mode: 'shared' }, () => promise)
      .catch(() => undefined);
  }
}

/** Whether any tab keeps what was typed in a form. */
async function isDraftAnnounced(): Promise<boolean> {
  try {
    const state = await locks()?.query();
    return state?.held?.some(({ name }) => name === DRAFTS_LOCK) ?? false;
  } catch {
    return false;
  }
}

/** Reading one may throw. */
export const privateStorages: readonly (() => Storage)[] = [() => localStorage, () => sessionStorage];

/**
 * Removes what local and session storage keep of the user: drafts, unsent messages, laptops that were looked at. Lists and drafts in
 * memory follow the event, which browsers send to other tabs only.
 */
export function forgetPrivateData(storages = privateStorages): void {
  for (const open of storages) {
    tryStorage(() => {
      const storage = open();
      for (const key of Object.keys(storage)) {
        if (key.startsWith('coomercio') && !kept.includes(key)) storage.removeItem(key);
      }
    });
  }
  announceDrafts();
  // Without a key, as after `localStorage.clear()`.
  dispatchEvent(new StorageEvent('storage'));
}

/** Whether this browser has a message that was not sent. */
const hasMessage = (): boolean =>
  tryStorage(() => Object.keys(localStorage).some((key) => key.startsWith(MESSAGES_KEY))) ?? false;

/** Asks before a sign-out deletes what was typed in this tab or another one. @returns whether the sign-out may go on */
export async function confirmSignOut(): Promise<boolean> {
  if (!hasMessage() && !hasDraft() && !(await isDraftAnnounced())) return true;
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
