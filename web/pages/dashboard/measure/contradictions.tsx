import type { Measurement } from '#contract/certification/inspections.ts';
import { findMissing } from '#contract/certification/measured-configuration.ts';
import { lockLines } from '../../../inspections/measured-values.ts';
import { ProblemList } from '../../../inspections/problem-list.tsx';

const shown = { role: 'alert', className: 'mb-6' } as const;

/** Says why buyers do not see a measurement: a lock was found, the listing differs from the laptop, or too little was read. */
export function Contradictions({ measurement }: { measurement: Measurement }) {
  const { comparisons, contradictions, machine } = measurement;
  const isLocked = lockLines(machine).some(({ state }) => state === 'locked');
  const missing = findMissing(comparisons, machine);
  const differs = contradictions.length > 0;
  return (
    <>
      {isLocked && (
        <ProblemList {...shown} title="A lock was found.">
          The laptop is not for sale until the lock is released and the laptop is measured again. Below is how
          to release it.
        </ProblemList>
      )}
      {differs && (
        <ProblemList
          {...shown}
          title="The laptop and its listing differ."
          items={contradictions.map(
            ({ field, listed, measured }) => `${field}: listed as ${listed}, measured ${measured}`,
          )}
        >
          Until the listing is corrected it does not count as measured, and buyers do not see this
          measurement.
        </ProblemList>
      )}
      {!isLocked && !differs && missing.length > 0 && (
        <ProblemList {...shown} title="The listing does not count as measured yet." items={missing}>
          Its processor and its memory must be measured. Buyers do not see this measurement.
        </ProblemList>
      )}
    </>
  );
}
