import { type BrowserCheck, checkLabels } from '#contract/browser-checks.ts';
import { configurationFields, type LaptopDetails } from '#contract/catalogue.ts';
import type { Measurement } from '#contract/inspections.ts';
import type { Level } from '#contract/level-names.ts';
import { type LevelMark, toLevelMark } from '../../formats/level-mark.ts';
import { countWords, outcomeBadges } from '../../inspections/check-words.ts';
import { lockLines, measuredValues } from '../../inspections/measured-values.ts';
import { type DisplayedFact, displayedFacts } from '../../laptops/displayed-facts.ts';
import { factsLine } from '../../laptops/facts-line.ts';

/** A laptop as its page shows it. Made on the server, so that browsers need no schemas for it. */
export interface ShownLaptop
  extends Omit<
    LaptopDetails,
    'description' | 'facts' | 'seller_email' | 'mobile_number' | 'seller_since' | 'level' | 'level_at'
  > {
  level: LevelMark;
  /** The seller's text, or null. */
  words: string | null;
  /** The filled configuration fields with their texts. */
  configuration: DisplayedFact[];
  facts: DisplayedFact[];
  /** The month of the seller's registration, such as `May 2024`. */
  sellerSince: string;
  factsLine: string;
  /** What the laptop reported about itself, then its tests; null when it was not measured. */
  measured: { introduction: string; facts: DisplayedFact[]; html: string } | null;
}

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

const month = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The tests that the seller made in the laptop's browser, as lines of the same table, which needs no scripts for them. */
const checkFacts = ({ checkedAt, results }: BrowserCheck): DisplayedFact[] => [
  {
    name: 'Tests in its browser',
    text: `${countWords(results)}, made by the seller on ${day.format(new Date(checkedAt))}`,
  },
  ...results.map(({ name, outcome, note }) => ({
    name: `Test: ${checkLabels[name]}`,
    text: `${outcomeBadges[outcome].text}${note === null ? '' : `: ${note}`}`,
  })),
];

const lockTexts = { locked: 'Found', not_found: 'Not found', unknown: 'Unknown' } as const;

function toMeasured(
  { measuredAt, machine }: Measurement,
  check: BrowserCheck | null,
  level: Level,
  html: string,
): ShownLaptop['measured'] {
  return {
    html,
    introduction: `The laptop reported these values about itself on ${day.format(new Date(measuredAt))}, with a script that its seller ran. ${level === 'inspected' ? '' : 'The shop has not inspected it. '}“Unknown” means that the value could not be read.`,
    facts: [
      ...measuredValues(machine).map(({ label, value, source }) => ({
        name: label,
        text: value === null ? 'Unknown' : `${value} (read from ${source})`,
      })),
      ...lockLines(machine).map(({ label, state }) => ({ name: label, text: lockTexts[state] })),
      ...(check === null ? [] : checkFacts(check)),
    ],
  };
}

/** Converts a laptop for display. Contact data is left out: the page is public. */
export function toShownLaptop(
  details: LaptopDetails,
  measurement: Measurement | null,
  check: BrowserCheck | null,
  html: string,
): ShownLaptop {
  const {
    description,
    facts,
    seller_email: _email,
    mobile_number: _number,
    level_at: _at,
    seller_since: since,
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
    sellerSince: month.format(new Date(`${since}-01`)),
    factsLine: factsLine(facts),
    measured: measurement && toMeasured(measurement, check, details.level, html),
  };
}
