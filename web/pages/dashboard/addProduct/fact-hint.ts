import {
  type FactField,
  type Facts,
  graphicsKinds,
  operatingSystems,
  processorFamilies,
  processorGenerations,
  readFacts,
} from '#contract/facts.ts';
import { formatGigabytes } from '../../../laptops/facts-line.ts';

/** What to write, by field. */
const examples: Record<FactField, string> = {
  Memory: 'a size such as 16 GB',
  Storage: 'a size such as 512 GB',
  Display: 'a size such as 14″',
  Processor: 'a processor such as Intel Core i5, 11th generation',
  Graphics: 'a graphics chip such as NVIDIA GeForce RTX 3050, or Integrated',
  Operating: 'a system such as Windows 11',
};

/** The filter values under which a laptop with these facts is found. */
function filterValues({ memory, storage, screen, processor, generation, graphics, system }: Facts): string[] {
  return [
    memory && formatGigabytes(memory),
    storage && formatGigabytes(storage),
    screen && `${screen}″`,
    processor && processorFamilies[processor],
    generation && processorGenerations[generation],
    graphics && graphicsKinds[graphics],
    system && operatingSystems[system],
  ].filter((value) => typeof value === 'string');
}

/** Returns what buyers can filter by when a field has this text; undefined for an empty field. */
export function factHint(field: FactField, text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const values = new Set(filterValues(readFacts({ [field]: text })));
  return values.size > 0
    ? `Buyers find it under: ${[...values].join(', ')}`
    : `Buyers can't filter by this: write ${examples[field]}`;
}
