import { FACTS_VERSION } from '#server/listings/catalogue/rules.ts';
import { hasFactsToRead, selectLaptopForUpdate } from '#server/listings/catalogue/steps.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { throwAll } from '#server/platform/jobs/batches.ts';
import { dueFailedItems, processItems } from '#server/platform/jobs/failed-items.ts';
import { type LevelDependencies, updateLevel } from './steps.ts';
import * as store from './store.ts';

const BATCH_SIZE = 100;
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

/** Reads the ids of all measured laptops in batches. */
async function* allMeasuredLaptops(database: Database): AsyncGenerator<string[]> {
  let after: string | undefined = BEFORE_ALL_IDS;
  while (after !== undefined) {
    const ids = await store.measuredLaptops(database, after, BATCH_SIZE);
    yield ids;
    after = ids.at(-1);
  }
}

type RefreshDependencies = LevelDependencies & { database: Database };

/** Recomputes the levels of some laptops. @returns the failures; these laptops are postponed */
function updateLevels(
  { database, ...dependencies }: RefreshDependencies,
  laptopIds: readonly string[],
  options: { signal: AbortSignal; now: Date },
): Promise<unknown[]> {
  const update = (id: string) =>
    database.transaction().execute(async (transaction) => {
      const laptop = await selectLaptopForUpdate(transaction, id);
      // Reading its facts failed and is tried again; its level follows.
      if (laptop !== undefined && laptop.facts_version < FACTS_VERSION)
        throw new Error('the facts of this laptop are not read again yet');
      await updateLevel(transaction, dependencies, id);
    });
  return processItems(database, 'levels of laptops', laptopIds, update, options);
}

const failureMessage = 'the levels of some laptops could not be computed again';

/**
 * Recomputes the level of every measured laptop when the stored levels were computed by other battery floors, or from facts that
 * an earlier version of the rules read. Several processes may do so at once; one that is interrupted starts again.
 * @returns the number of laptops; undefined while the facts of laptops are still read again, before which nothing is done
 * @throws AggregateError with the failures, which {@link retryFailedLevels} tries again; all others are recomputed
 */
export async function refreshLevels(
  dependencies: RefreshDependencies,
  signal: AbortSignal,
  now = new Date(),
): Promise<number | undefined> {
  const { database, shop } = dependencies;
  const floors = shop().batteryFloors;
  const rules = { excellent: floors.Excellent, good: floors.Good, facts_version: FACTS_VERSION };
  const stored = await store.storedLevelRules(database);
  const isCurrent =
    stored?.excellent === rules.excellent &&
    stored.good === rules.good &&
    stored.facts_version === rules.facts_version;
  if (isCurrent) return 0;
  if (await hasFactsToRead(database, now)) return undefined;
  const failures: unknown[] = [];
  let count = 0;
  for await (const ids of allMeasuredLaptops(database)) {
    failures.push(...(await updateLevels(dependencies, ids, { signal, now })));
    count += ids.length;
  }
  await store.storeLevelRules(database, rules);
  throwAll(failures, failureMessage);
  return count;
}

/** Recomputes the levels whose computation failed before. @throws AggregateError with the failures */
export async function retryFailedLevels(
  dependencies: RefreshDependencies,
  signal: AbortSignal,
  now = new Date(),
): Promise<void> {
  const ids = await dueFailedItems(dependencies.database, 'levels of laptops', now);
  throwAll(await updateLevels(dependencies, ids, { signal, now }), failureMessage);
}
