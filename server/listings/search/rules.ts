export type { LaptopIndex } from './index/laptop-index.ts';
export { createLaptopMatcher } from './index/laptop-matcher.ts';
export { SearchedFacts } from './index/row.ts';
export { wordsOf } from './index/words.ts';
