import type { FoundLaptop } from '#contract/listings/search.ts';
import { type LevelMark, toLevelMark } from '../formats/level-mark.ts';
import { ratedName } from '../formats/rating.ts';
import { factsLine } from './facts-line.ts';
import { laptopUrl } from './laptop-url.ts';

/** A laptop as its tile shows it. */
export interface TileLaptop
  extends Omit<
    FoundLaptop,
    'facts' | 'category_Id' | 'level' | 'level_at' | 'seller_id' | 'seller_rating' | 'ships_from'
  > {
  /** With the seller's rating. */
  sellers_name: string;
  /** The path of its page. */
  url: string;
  /** The main facts in one line; empty when none is known. */
  facts: string;
  level: LevelMark;
}

/** Prepares a laptop for its tile. Loaders call it, so that browsers need no names of processors. */
export function toTileLaptop(found: FoundLaptop): TileLaptop {
  const {
    category_Id: _,
    level_at: _at,
    seller_id: _seller,
    ships_from: _country,
    seller_rating,
    facts,
    ...laptop
  } = found;
  const sellers_name = ratedName(laptop.sellers_name, seller_rating);
  return {
    ...laptop,
    sellers_name,
    facts: factsLine(facts),
    url: laptopUrl(laptop),
    // Without the date, which would not fit beside the condition.
    level: toLevelMark({ level: found.level }),
  };
}
