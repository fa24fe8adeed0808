import {
  comparedFacts,
  type FactComparison,
  notComparedReasons,
} from '#contract/certification/inspections.ts';

/** One fact of a listing, and whether the measurement confirms it. */
export interface ComparedFactLine {
  fact: FactComparison['fact'];
  label: string;
  state: FactComparison['state'];
  text: string;
}

/** Why a fact is the seller's word. Of a listing that says nothing about it there is nothing to confirm. */
function lineOf(comparison: FactComparison): ComparedFactLine {
  const { fact, state } = comparison;
  const label = comparedFacts[fact];
  if (comparison.state === 'not_compared') {
    return { fact, label, state, text: `Seller’s word: ${notComparedReasons[comparison.reason]}` };
  }
  return { fact, label, state, text: state === 'measured' ? 'Measured' : 'Contradicted by the measurement' };
}

/** The facts that a listing states, each with whether it was measured. */
export const comparedFactLines = (comparisons: readonly FactComparison[]): ComparedFactLine[] =>
  comparisons.filter((each) => !(each.state === 'not_compared' && each.reason === 'not_listed')).map(lineOf);
