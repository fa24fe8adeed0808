import { type FactField, readFacts } from '#contract/listings/facts.ts';
import { displayedFacts } from '../laptops/displayed-facts.ts';

/** What to write, by field. */
const examples: Record<FactField, string> = {
  Memory: 'a size such as 16 GB',
  Storage: 'a size such as 512 GB',
  Display: 'a size such as 14″',
  Processor: 'a processor such as Intel Core i5, 11th generation',
  Graphics: 'a graphics chip such as NVIDIA GeForce RTX 3050, or Integrated',
  Battery: 'its capacity in percent of the one when new, such as 86 %',
  Operating: 'a system such as Windows 11',
};

/** Returns what buyers can filter by when a field has this text; undefined for an empty field. */
export function factHint(field: FactField, text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const facts = displayedFacts(readFacts({ [field]: text }));
  const values = facts.map((fact) => fact.text).join(', ');
  if (facts.length === 0) return `Buyers can't filter by this: write ${examples[field]}`;
  // A weak battery is in no filter.
  return facts.some(({ search }) => search !== undefined)
    ? `Buyers find it under: ${values}`
    : `Buyers see: ${values}`;
}
