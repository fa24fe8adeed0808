import type { Measurement } from '#contract/inspections.ts';
import type { Machine } from '#contract/machine.ts';
import { hasCoreValues } from '#contract/measured-configuration.ts';
import { lockLines } from '../../../inspections/measured-values.ts';

/** Why buyers do not see a measurement that agrees with its listing; null when they see it. */
function otherReason(machine: Machine): string | null {
  if (lockLines(machine).some(({ state }) => state === 'locked')) {
    return 'A lock was found. Until it is released and the laptop is measured again, buyers do not see this measurement.';
  }
  if (hasCoreValues(machine)) return null;
  return 'The laptop did not report both its processor and its memory. Until it is measured again, buyers do not see this measurement.';
}

/** Says why buyers do not see a measurement: a lock was found, too little was read, or the listing differs from the laptop. */
export function Contradictions({ measurement: { contradictions, machine } }: { measurement: Measurement }) {
  if (contradictions.length === 0) {
    const reason = otherReason(machine);
    if (reason === null) return null;
    return (
      <p role="alert" className="mb-6 rounded-lg border border-red bg-red-soft p-4">
        {reason}
      </p>
    );
  }
  return (
    <div role="alert" className="mb-6 rounded-lg border border-red bg-red-soft p-4">
      <p className="font-semibold">The laptop and its listing differ.</p>
      <p className="mt-1">
        Until the listing is corrected it does not count as measured, and buyers do not see this measurement.
      </p>
      <ul className="mt-3 list-disc pl-5">
        {contradictions.map(({ field, listed, measured }) => (
          <li key={field}>
            {field}: listed as {listed}, measured {measured}
          </li>
        ))}
      </ul>
    </div>
  );
}
