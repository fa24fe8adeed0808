import { type FoundLaptop, SearchFilters, SIMILAR_LAPTOPS } from '#contract/listings/search.ts';
import type { Reader } from '#server/platform/database/tables.ts';
import type { CacheDependencies } from '#server/platform/http/cache-dependencies.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import {
  findLaptop,
  foundLaptops,
  laptopDependencies,
  laptopTag,
  newestTag,
  SEARCH_TAG,
} from '../catalogue/steps.ts';
import type { LaptopIndex } from './index/laptop-index.ts';

/**
 * Finds laptops for sale that are similar: of the same brand with the same memory first, then of the brand, then with the
 * memory; the newest first.
 * @returns them, and which changes they depend on
 * @throws Refusal for an unknown laptop
 */
export async function findSimilar(
  { reader, origin, index }: { reader: Reader; origin: string; index: LaptopIndex },
  id: string,
): Promise<{ laptops: FoundLaptop[]; dependencies: CacheDependencies }> {
  const laptop = await findLaptop(reader, id);
  if (laptop === undefined) throw new Refusal('not_found', 'There is no such laptop in this shop.');
  const { brand } = laptop;
  const memory = laptop.memory_gb ?? undefined;
  const groups = memory === undefined ? [{ brand }] : [{ brand, memory }, { brand }, { memory }];
  const found = new Set<number>();
  const tags = [laptopTag(id)];
  for (const group of groups) {
    if (found.size >= SIMILAR_LAPTOPS) break;
    tags.push(newestTag(group));
    // Those of the groups before may be the newest of this one, and the laptop itself too.
    const limit = found.size + SIMILAR_LAPTOPS + 1;
    for (const number of index.newest(SearchFilters.parse(group), limit)) {
      if (number !== Number(laptop.number) && found.size < SIMILAR_LAPTOPS) found.add(number);
    }
  }
  const laptops = await foundLaptops(reader, [...found], origin);
  // The index has yet to hear of one that is no longer for sale, and will find another in its place.
  if (laptops.length < found.size) tags.push(SEARCH_TAG);
  return { laptops, dependencies: laptopDependencies(laptops, tags) };
}
