import type { Measurement } from '#contract/certification/inspections.ts';
import { findMissing } from '#contract/certification/measured-configuration.ts';
import { lockLines } from '../../../inspections/measured-values.ts';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';

/** Says why buyers do not see a measurement: a lock was found, the listing differs from the laptop, or too little was read. */
export function Contradictions({ measurement }: { measurement: Measurement }) {
  const { comparisons, contradictions, machine } = measurement;
  const isLocked = lockLines(machine).some(({ state }) => state === 'locked');
  const missing = findMissing(comparisons, machine);
  const differs = contradictions.length > 0;
  return (
    <>
      {isLocked && (
        <ProblemNotice className="mb-6">
          <p className="font-semibold">A lock was found.</p>
          <p className="mt-1">
            The laptop is not for sale until the lock is released and the laptop is measured again. Below is
            how to release it.
          </p>
        </ProblemNotice>
      )}
      {differs && (
        <ProblemNotice className="mb-6">
          <p className="font-semibold">The laptop and its listing differ.</p>
          <p className="mt-1">
            Until the listing is corrected it does not count as measured, and buyers do not see this
            measurement.
          </p>
          <ul className="mt-3 list-disc pl-5">
            {contradictions.map(({ field, listed, measured }) => (
              <li key={field}>
                {field}: listed as {listed}, measured {measured}
              </li>
            ))}
          </ul>
        </ProblemNotice>
      )}
      {!isLocked && !differs && missing.length > 0 && (
        <ProblemNotice className="mb-6">
          <p className="font-semibold">The listing does not count as measured yet.</p>
          <p className="mt-1">
            Its processor and its memory must be measured. Buyers do not see this measurement.
          </p>
          <ul className="mt-3 list-disc pl-5">
            {missing.map((sentence) => (
              <li key={sentence} className="wrap-anywhere">
                {sentence}
              </li>
            ))}
          </ul>
        </ProblemNotice>
      )}
    </>
  );
}
