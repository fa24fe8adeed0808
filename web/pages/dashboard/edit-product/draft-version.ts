import { tryStorage } from '../../../ui/browser-storage.ts';

/**
 * The version of the laptop that a draft was typed on: a draft that is restored after a reload must not overwrite what was
 * saved elsewhere in the meantime.
 * @param draftKey names the draft in sessionStorage
 */
export function createDraftVersion(draftKey: string, storage: () => Storage) {
  const key = `${draftKey}:version`;
  return {
    /** @returns the version of the stored draft; null without a draft */
    read: (): number | null => {
      const version = tryStorage(() =>
        storage().getItem(draftKey) === null ? null : Number(storage().getItem(key)),
      );
      return version === null || !Number.isSafeInteger(version) || version < 1 ? null : version;
    },
    /** Stores the version on which a draft is typed from now on. */
    save: (version: number): void => void tryStorage(() => storage().setItem(key, String(version))),
    /** Discards the draft and its version. */
    discard: (): void =>
      void tryStorage(() => {
        storage().removeItem(draftKey);
        storage().removeItem(key);
      }),
  };
}
