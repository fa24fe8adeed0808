export type { LaptopIndex } from './index/laptop-index.ts';
export { createLaptopMatcher } from './index/laptop-index.ts';
export { SearchedFacts } from './index/row.ts';
export { wordsOf } from './index/words.ts';

/** The state of a process's search index. */
export interface SearchIndexFigures {
  isLoaded(): boolean;
  /** The number of laptops. */
  laptops(): number;
  bytes(): number;
  /** Milliseconds since the index was last equal to the database. */
  ageMs(): number;
  /** Milliseconds until the index was loaded; 0 before. */
  loadMs(): number;
  /** The number of waiting searches. */
  waiting(): number;
}
