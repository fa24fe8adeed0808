import type { Measurement } from '#contract/certification/inspections.ts';
import { findMissing } from '#contract/certification/measured-configuration.ts';
import { lockLines } from '../../../inspections/measured-values.ts';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';

interface ReasonProps {
  title: string;
  text: string;
  items?: readonly string[];
}

const Reason = ({ title, text, items = [] }: ReasonProps) => (
  <ProblemNotice className="mb-6">
    <p className="font-semibold">{title}</p>
    <p className="mt-1">{text}</p>
    {items.length > 0 && (
      <ul className="mt-3 list-disc pl-5">
        {items.map((item) => (
          <li key={item} className="wrap-anywhere">
            {item}
          </li>
        ))}
      </ul>
    )}
  </ProblemNotice>
);

/** Says why buyers do not see a measurement: a lock was found, the listing differs from the laptop, or too little was read. */
export function Contradictions({ measurement }: { measurement: Measurement }) {
  const { comparisons, contradictions, machine } = measurement;
  const isLocked = lockLines(machine).some(({ state }) => state === 'locked');
  const missing = findMissing(comparisons, machine);
  const differs = contradictions.length > 0;
  return (
    <>
      {isLocked && (
        <Reason
          title="A lock was found."
          text="The laptop is not for sale until the lock is released and the laptop is measured again. Below is how to release it."
        />
      )}
      {differs && (
        <Reason
          title="The laptop and its listing differ."
          text="Until the listing is corrected it does not count as measured, and buyers do not see this measurement."
          items={contradictions.map(
            ({ field, listed, measured }) => `${field}: listed as ${listed}, measured ${measured}`,
          )}
        />
      )}
      {!isLocked && !differs && missing.length > 0 && (
        <Reason
          title="The listing does not count as measured yet."
          text="Its processor and its memory must be measured. Buyers do not see this measurement."
          items={missing}
        />
      )}
    </>
  );
}
