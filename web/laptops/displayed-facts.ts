import { facetValue } from '#contract/listings/facets.ts';
import {
  type Facts,
  graphicsKinds,
  operatingSystems,
  processorFamilies,
  processorGenerations,
} from '#contract/listings/fact-names.ts';
import type { ConfigurationField } from '#contract/listings/laptop-schemas.ts';
import { formatGigabytes } from '#contract/listings/sizes.ts';

/** A fact of a laptop, for display. */
export interface DisplayedFact {
  name: string;
  text: string;
  /** The search for laptops with the same fact, as a query string; absent when it cannot be filtered by. */
  search?: string;
}

const factNames: Partial<Record<ConfigurationField, string>> = { Display: 'Screen', Operating: 'System' };

/** The name of the fact that is read from a configuration field. */
export const factOf = (field: ConfigurationField): string => factNames[field] ?? field;

/** The understood facts of a laptop, with names for display. */
export function displayedFacts(facts: Facts): DisplayedFact[] {
  const { processor, generation, memory, storage, screen, battery, graphics, system } = facts;
  const batteryFloor = facetValue('battery', battery);
  return [
    { name: 'Processor', text: processor && processorFamilies[processor], search: `processor=${processor}` },
    {
      name: 'Generation',
      text: generation && processorGenerations[generation],
      search: `generation=${generation}`,
    },
    { name: 'Memory', text: memory && formatGigabytes(memory), search: `memory=${memory}` },
    { name: 'Storage', text: storage && formatGigabytes(storage), search: `storage=${storage}` },
    { name: 'Screen', text: screen && `${screen}″`, search: `screen=${facetValue('screen', screen)}` },
    {
      name: 'Battery',
      text: battery && `${battery} % of its capacity when new${facts.batteryMeasured ? ', measured' : ''}`,
      search: batteryFloor === null ? undefined : `battery=${batteryFloor}`,
    },
    { name: 'Graphics', text: graphics && graphicsKinds[graphics], search: `graphics=${graphics}` },
    { name: 'System', text: system && operatingSystems[system], search: `system=${system}` },
  ].flatMap(({ name, text, search }) =>
    typeof text === 'string' ? [{ name, text, ...(search !== undefined && { search }) }] : [],
  );
}
