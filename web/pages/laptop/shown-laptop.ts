import { configurationFields, type LaptopDetails } from '#contract/catalogue.ts';
import { type DisplayedFact, displayedFacts } from '../../laptops/displayed-facts.ts';
import { factsLine } from '../../laptops/facts-line.ts';

/** A laptop as its page shows it. Made on the server, so that browsers need no schemas for it. */
export interface ShownLaptop
  extends Omit<LaptopDetails, 'description' | 'facts' | 'seller_email' | 'mobile_number'> {
  /** The seller's text, or null. */
  words: string | null;
  /** The filled configuration fields with their texts. */
  configuration: DisplayedFact[];
  facts: DisplayedFact[];
  factsLine: string;
}

/** Converts a laptop for display. Contact data is left out: the page is public. */
export function toShownLaptop(details: LaptopDetails): ShownLaptop {
  const { description, facts, seller_email: _email, mobile_number: _number, ...laptop } = details;
  const fields = typeof description === 'string' ? {} : description;
  return {
    ...laptop,
    words: (typeof description === 'string' ? description : description.Notes) ?? null,
    configuration: configurationFields.flatMap((name) => {
      const text = fields[name] ?? '';
      return text === '' ? [] : [{ name, text }];
    }),
    facts: displayedFacts(facts),
    factsLine: factsLine(facts),
  };
}
