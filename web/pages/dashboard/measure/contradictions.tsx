import type { Measurement } from '#contract/inspections.ts';
import { lockLines } from '../../../inspections/measured-values.ts';

/** Says why buyers do not see a measurement: a lock was found, or the listing differs from the laptop. */
export function Contradictions({ measurement: { contradictions, machine } }: { measurement: Measurement }) {
  if (contradictions.length === 0) {
    if (lockLines(machine).every(({ state }) => state !== 'locked')) return null;
    return (
      <p role="alert" className="mb-6 rounded-lg border border-red bg-red-soft p-4">
        A lock was found. Until it is released and the laptop is measured again, buyers do not see this
        measurement.
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
