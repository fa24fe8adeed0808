import type { FoundLaptop } from '#contract/listings/search.ts';
import { type LevelMark, toLevelMark } from '../formats/level-mark.ts';
import { ratedName } from '../formats/rating.ts';
import { factsLine } from './facts-line.ts';
import { laptopUrl } from './laptop-url.ts';

/** A laptop as its tile shows it. */
export interface TileLaptop
  extends Pick<
    FoundLaptop,
    | '_id'
    | 'name'
    | 'image'
    | 'original_price'
    | 'resale_price'
    | 'condition'
    | 'delivery'
    | 'location'
    | 'sellerVerified'
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
  const { _id, name, image, original_price, resale_price, condition, delivery, location, sellerVerified } =
    found;
  return {
    ...{ _id, name, image, original_price, resale_price, condition, delivery, location, sellerVerified },
    sellers_name: ratedName(found.sellers_name, found.seller_rating),
    facts: factsLine(found.facts),
    url: laptopUrl(found),
    // Without the date, which would not fit beside the condition.
    level: toLevelMark({ level: found.level }),
  };
}
