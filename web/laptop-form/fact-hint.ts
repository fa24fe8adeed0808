import { type FactField, readFacts } from '#contract/facts.ts';
import { displayedFacts } from '../laptops/displayed-facts.ts';

/** What to write, by field. */
const examples: Record<FactField, string> = {
  Memory: 'a size such as 16 GB',
  Storage: 'a size such as 512 GB',
  Display: 'a size such as 14″',
  Processor: 'a processor such as Intel Core i5, 11th generation',
  Graphics: 'a graphics chip such as NVIDIA GeForce RTX 3050, or Integrated',
  Operating: 'a system such as Windows 11',
};

/** Returns what buyers can filter by when a field has this text; undefined for an empty field. */
export function factHint(field: FactField, text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const values = displayedFacts(readFacts({ [field]: text })).map((fact) => fact.text);
  return values.length > 0
    ? `Buyers find it under: ${values.join(', ')}`
    : `Buyers can't filter by this: write ${examples[field]}`;
}
