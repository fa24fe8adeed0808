import { tryStorage } from '../ui/browser-storage.ts';
import { Draft } from './form-values.ts';

type DraftStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * Stores a draft of the form in sessionStorage, so that it outlives a sign-out, a reload and a navigation.
 * @param key names the draft; contains its user @param storage may throw when storage is forbidden; then nothing is stored
 */
export function createDraftStorage(key: string, storage: () => DraftStore) {
  const textOf = (draft: Draft) => JSON.stringify(Draft.parse(draft));
  return {
    /** Returns the stored values, or null. Photos are files on the seller's device and are not stored. */
    read: () => tryStorage(() => Draft.parse(JSON.parse(storage().getItem(key) ?? ''))),
    save: (draft: Draft) => void tryStorage(() => storage().setItem(key, textOf(draft))),
    /** @param draft discards only this draft, not one that was typed since; left out: any draft */
    discard: (draft?: Draft) =>
      void tryStorage(() => {
        if (draft === undefined || storage().getItem(key) === textOf(draft)) storage().removeItem(key);
      }),
  };
}
