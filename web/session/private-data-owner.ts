import { tryStorage } from '../ui/browser-storage.ts';
import { forgetPrivateData, privateStorages } from './forget-private-data.ts';

/** The storage key of the id of the person of whom a storage keeps private data. `forgetPrivateData` removes it as well. */
const OWNER_KEY = 'coomercioOwner';

/**
 * Removes what another person left in this browser, whose session ended otherwise than by a sign-out. Each storage is compared for
 * itself: in a tab that has slept since, only its own one is still that of the former person.
 * @param uid the signed-in person, who keeps what is theirs
 */
export function claimPrivateData(uid: string): void {
  for (const open of privateStorages) {
    tryStorage(() => {
      const storage = open();
      const owner = storage.getItem(OWNER_KEY);
      if (owner === uid) return;
      if (owner !== null) forgetPrivateData([open]);
      storage.setItem(OWNER_KEY, uid);
    });
  }
}
