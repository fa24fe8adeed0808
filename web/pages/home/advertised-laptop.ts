import type { Laptop } from '#contract/listings/catalogue.ts';
import { type LevelMark, toLevelMark } from '../../formats/level-mark.ts';
import { factsLine } from '../../laptops/facts-line.ts';

/** An advertised laptop as its card shows it. */
export interface AdvertisedLaptop
  extends Pick<
    Laptop,
    '_id' | 'category_Id' | 'name' | 'image' | 'original_price' | 'resale_price' | 'condition' | 'delivery'
  > {
  /** The main facts in one line; empty when none is known. */
  facts: string;
  level: LevelMark;
}

/** Prepares a laptop for its card. The loader calls it, so that browsers need no names of processors. */
export function toAdvertisedLaptop(laptop: Laptop): AdvertisedLaptop {
  const { _id, category_Id, name, image, original_price, resale_price, condition, delivery } = laptop;
  const facts = factsLine(laptop.facts);
  const level = toLevelMark({ level: laptop.level });
  return { _id, category_Id, name, image, original_price, resale_price, condition, delivery, facts, level };
}
