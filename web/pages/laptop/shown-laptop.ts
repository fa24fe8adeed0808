import { configurationFields, type LaptopDetails } from '#contract/catalogue.ts';
import { type LevelMark, toLevelMark } from '../../formats/level-mark.ts';
import { ratedName } from '../../formats/rating.ts';
import { describeSellerChecks } from '../../formats/seller-checks.ts';
import { type DisplayedFact, displayedFacts } from '../../laptops/displayed-facts.ts';
import { factsLine } from '../../laptops/facts-line.ts';

/** A laptop as its page shows it. Made on the server, so that browsers need no schemas for it. */
export interface ShownLaptop
  extends Omit<
    LaptopDetails,
    | 'description'
    | 'facts'
    | 'seller_rating'
    | 'seller_email'
    | 'mobile_number'
    | 'seller_since'
    | 'seller_checks'
    | 'level'
    | 'level_at'
  > {
  level: LevelMark;
  /** The seller's text, or null. */
  words: string | null;
  /** The filled configuration fields with their texts. */
  configuration: DisplayedFact[];
  facts: DisplayedFact[];
  /** The seller's name with the rating. */
  sellerRated: string;
  /** Since when the seller is registered, and what the shop has checked. */
  sellerNote: string;
  factsLine: string;
  /** The section about its measurement as HTML; null when it was not measured. */
  measured: string | null;
}

const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/**
 * Converts a laptop for display. Contact data is left out: the page is public.
 * @param measured the section about its measurement as HTML; null when it was not measured
 */
export function toShownLaptop(details: LaptopDetails, measured: string | null): ShownLaptop {
  const {
    description,
    facts,
    seller_email: _email,
    mobile_number: _number,
    level_at: _at,
    seller_rating,
    seller_since: since,
    seller_checks: checks,
    ...laptop
  } = details;
  const fields = typeof description === 'string' ? {} : description;
  return {
    ...laptop,
    level: toLevelMark(details),
    words: (typeof description === 'string' ? description : description.Notes) ?? null,
    configuration: configurationFields.flatMap((name) => {
      const text = fields[name] ?? '';
      return text === '' ? [] : [{ name, text }];
    }),
    facts: [
      {
        name: 'Brand',
        text: laptop.category_Id,
        search: `brand=${encodeURIComponent(laptop.category_Id)}`,
      },
      { name: 'Use Time', text: laptop.use_time },
      ...displayedFacts(facts),
      { name: 'Posted', text: laptop.posted_time },
    ],
    sellerRated: ratedName(laptop.sellers_name, seller_rating),
    sellerNote:
      `On Coomercio since ${month.format(new Date(`${since}-01`))}. ${checks === null ? '' : describeSellerChecks(checks)}`.trim(),
    factsLine: factsLine(facts),
    measured,
  };
}
