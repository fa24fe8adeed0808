import {
  type Facts,
  graphicsKinds,
  operatingSystems,
  processorFamilies,
  processorGenerations,
} from '#contract/facts.ts';
import { formatGigabytes } from './facts-line.ts';

/** A fact of a laptop, for display. */
export interface DisplayedFact {
  name: string;
  text: string;
}

/** The understood facts of a laptop, with names for display. */
export function displayedFacts(facts: Facts): DisplayedFact[] {
  const { processor, generation, memory, storage, screen, graphics, system } = facts;
  return [
    { name: 'Processor', text: processor && processorFamilies[processor] },
    { name: 'Generation', text: generation && processorGenerations[generation] },
    { name: 'Memory', text: memory && formatGigabytes(memory) },
    { name: 'Storage', text: storage && formatGigabytes(storage) },
    { name: 'Screen', text: screen && `${screen}″` },
    { name: 'Graphics', text: graphics && graphicsKinds[graphics] },
    { name: 'System', text: system && operatingSystems[system] },
  ].flatMap(({ name, text }) => (typeof text === 'string' ? [{ name, text }] : []));
}
