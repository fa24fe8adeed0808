import type { followLaptops } from './follow-laptops.ts';
import type { LaptopIndex } from './index/laptop-index.ts';
import type { createSearchQueue } from './search-queue.ts';

export type { LaptopIndex } from './index/laptop-index.ts';
export { createLaptopMatcher } from './index/laptop-index.ts';
export { SearchedFacts } from './index/row.ts';
export { searchedWords } from './index/words.ts';

/** The state of a process's search index. */
export type SearchIndexFigures = Pick<LaptopIndex, 'isLoaded' | 'count' | 'size'> &
  Pick<ReturnType<typeof followLaptops>, 'ageMs' | 'loadMs'> &
  Pick<ReturnType<typeof createSearchQueue>, 'waiting'>;
