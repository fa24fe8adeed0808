import type { FactComparison } from '#contract/certification/inspections.ts';
import { configurationFields, type LaptopDetails } from '#contract/listings/catalogue.ts';
import type { PublicSeller } from '#contract/sales/seller-pages.ts';
import { formatSales } from '../../formats/counts.ts';
import { type LevelMark, PAGE_LEVEL_DEFINITION_ID, toLevelMark } from '../../formats/level-mark.ts';
import { ratedName } from '../../formats/rating.ts';
import { describeSellerChecks } from '../../formats/seller-checks.ts';
import { utcMonth } from '../../formats/utc-dates.ts';
import { comparedFactLines } from '../../inspections/compared-facts.ts';
import { definitionsHtml, ownLevelHtml } from '../../laptops/definitions.server.tsx';
import { type DisplayedFact, displayedFacts, factOf } from '../../laptops/displayed-facts.ts';
import { factsLine } from '../../laptops/facts-line.ts';
import { type ConfigurationRow, detailsHtml } from './details-html.server.tsx';

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
  /** The seller's words, the configuration and the measurement as HTML. */
  details: string;
  /** The seller's name with the rating. */
  sellerRated: string;
  /** Since when the seller is registered, the number of sales, and what the shop has checked; or that the seller has left. */
  sellerNote: string;
  factsLine: string;
  isMeasured: boolean;
  /** Definitions that the chips open, as HTML. */
  definitions: string;
}

/** Brand, configuration and what else is known, each once: the seller's text where there is one, else the fact. */
function toConfiguration({
  category_Id,
  description,
  facts,
  use_time,
  posted_time,
}: LaptopDetails): DisplayedFact[] {
  const texts = typeof description === 'string' ? {} : description;
  const known = new Map(displayedFacts(facts).map((fact) => [fact.name, fact]));
  const fields = configurationFields.flatMap((name): DisplayedFact[] => {
    const text = texts[name] ?? '';
    if (text === '') return [];
    const fact = known.get(factOf(name));
    known.delete(factOf(name));
    // What the laptop reported of its battery counts more than what the seller wrote.
    if (name === 'Battery' && facts.batteryMeasured && fact !== undefined) return [{ ...fact, name }];
    return [{ name, text, ...(fact?.search !== undefined && { search: fact.search }) }];
  });
  return [
    { name: 'Brand', text: category_Id, search: `brand=${encodeURIComponent(category_Id)}` },
    ...fields,
    ...known.values(),
    { name: 'Use Time', text: use_time },
    { name: 'Posted', text: posted_time },
  ];
}

/** The rows of the configuration about which a compared fact speaks. The condition has none: the battery's row says it. */
const rowNames: Readonly<Record<FactComparison['fact'], readonly string[]>> = {
  processor: ['Processor'],
  generation: ['Generation'],
  memory: ['Memory'],
  storage: ['Storage'],
  screen: ['Display', 'Screen'],
  graphics: ['Graphics'],
  battery: ['Battery'],
  condition: [],
};

/** Says of each row which of its facts the laptop itself has reported: a row can say more than was measured. */
function withChecks(
  rows: readonly DisplayedFact[],
  comparisons: readonly FactComparison[],
): ConfigurationRow[] {
  const lines = comparedFactLines(comparisons);
  return rows.map((row) => {
    const checks = lines
      .filter(({ fact }) => rowNames[fact].includes(row.name))
      .map(({ label, state, text }) => ({
        state,
        text: state === 'measured' ? `${text}: ${label.toLowerCase()}` : text,
      }));
    return checks.length === 0 ? row : { ...row, checks };
  });
}

/** What a measurement says on the page of its laptop. */
export interface ShownMeasurement {
  /** The section about it as HTML. */
  html: string;
  comparisons: readonly FactComparison[];
}

interface RelatedSections {
  /** Null when the laptop was not measured. */
  measured: ShownMeasurement | null;
  /** Null when it could not be read. */
  seller: Pick<PublicSeller, 'sold'> | null;
}

/** Converts a laptop for display. Contact data is left out: the page is public. */
export function toShownLaptop(
  details: LaptopDetails,
  { measured, seller }: RelatedSections,
  shopName: string,
): ShownLaptop {
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
  const words = (typeof description === 'string' ? description : description.Notes) ?? null;
  return {
    ...laptop,
    level: { ...toLevelMark(details), definition: PAGE_LEVEL_DEFINITION_ID },
    words,
    details: detailsHtml({
      words,
      configuration: withChecks(toConfiguration(details), measured?.comparisons ?? []),
      measured: measured?.html ?? null,
    }),
    sellerRated: ratedName(laptop.sellers_name, seller_rating),
    sellerNote: laptop.sellerHasEnded
      ? 'This seller has left the shop.'
      : [
          `On ${shopName} since ${utcMonth(since)}.`,
          seller === null ? '' : `${formatSales(seller.sold)}.`,
          checks === null ? '' : describeSellerChecks(checks),
        ]
          .filter((sentence) => sentence !== '')
          .join(' '),
    factsLine: factsLine(facts),
    isMeasured: measured !== null,
    definitions: definitionsHtml + ownLevelHtml(details),
  };
}
