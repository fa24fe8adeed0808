import type { Laptop } from '#contract/listings/catalogue.ts';

/** What sellers mean by a condition. */
export const conditionDefinitions: Readonly<Record<Laptop['condition'], string>> = {
  Excellent: 'Everything works. Signs of use are faint, and you have to look for them.',
  Good: 'Everything works. Signs of use show, such as light scratches or keys that shine.',
  Fair: 'It works, with visible wear: scratches, dents, a weak battery or a named flaw. Read the seller’s words.',
};
