import type { Database } from '../database/tables.ts';
import { type LevelDependencies, updateLevel } from './steps.ts';
import * as store from './store.ts';

const BATCH_SIZE = 100;
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

/**
 * Recomputes the level of every measured laptop when the stored levels were computed by other battery floors. Several processes
 * may do so at once; one that is interrupted starts again.
 * @returns the number of laptops
 */
export async function refreshLevels(
  { database, ...dependencies }: LevelDependencies & { database: Database },
  signal: AbortSignal,
): Promise<number> {
  const { batteryFloors: floors } = dependencies;
  const stored = await store.storedFloors(database);
  if (stored?.excellent === floors.Excellent && stored.good === floors.Good) return 0;
  let count = 0;
  let after = BEFORE_ALL_IDS;
  for (;;) {
    signal.throwIfAborted();
    const ids = await store.measuredLaptops(database, after, BATCH_SIZE);
    for (const id of ids) {
      await database.transaction().execute((transaction) => updateLevel(transaction, dependencies, id));
    }
    count += ids.length;
    const last = ids.at(-1);
    if (last === undefined) break;
    after = last;
  }
  await store.storeFloors(database, floors);
  return count;
}
