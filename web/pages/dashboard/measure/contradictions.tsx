import type { ReactNode } from 'react';
import type { Measurement } from '#contract/inspections.ts';
import { hasCoreValues } from '#contract/measured-configuration.ts';
import { lockLines } from '../../../inspections/measured-values.ts';

function Warning({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="mb-6 rounded-lg border border-red bg-red-soft p-4">
      {children}
    </div>
  );
}

/** Says why buyers do not see a measurement: a lock was found, the listing differs from the laptop, or too little was read. */
export function Contradictions({ measurement: { contradictions, machine } }: { measurement: Measurement }) {
  const isLocked = lockLines(machine).some(({ state }) => state === 'locked');
  const differs = contradictions.length > 0;
  return (
    <>
      {isLocked && (
        <Warning>
          <p className="font-semibold">A lock was found.</p>
          <p className="mt-1">
            The laptop is not for sale until the lock is released and the laptop is measured again. Below is
            how to release it.
          </p>
        </Warning>
      )}
      {differs && (
        <Warning>
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
        </Warning>
      )}
      {!isLocked && !differs && !hasCoreValues(machine) && (
        <Warning>
          The laptop did not report both its processor and its memory. Until it is measured again, buyers do
          not see this measurement.
        </Warning>
      )}
    </>
  );
}
