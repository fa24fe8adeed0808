import type { FoundLaptop } from '#contract/search.ts';
import { factsLine } from './facts-line.ts';
import { laptopUrl } from './laptop-url.ts';

/** A laptop as its tile shows it. */
export interface TileLaptop extends Omit<FoundLaptop, 'facts' | 'category_Id'> {
  /** The path of its page. */
  url: string;
  /** The main facts in one line; empty when none is known. */
  facts: string;
}

/** Prepares a laptop for its tile. Loaders call it, so that browsers need no names of processors. */
export function toTileLaptop({ category_Id: _, facts, ...laptop }: FoundLaptop): TileLaptop {
  return { ...laptop, facts: factsLine(facts), url: laptopUrl(laptop) };
}
