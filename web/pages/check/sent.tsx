import type { ReactNode } from 'react';
import { CheckResults } from '../../inspections/check-results.tsx';
import { countWords } from '../../inspections/check-words.ts';
import { type CheckProgress, toResults } from './check-progress.ts';
import { StepHeading } from './step-heading.tsx';

/** Confirms that the results were sent. @param props.children the next step */
export function Sent({ progress, children }: { progress: CheckProgress; children: ReactNode }) {
  const results = toResults(progress);
  return (
    <section aria-labelledby="step" className="card max-w-3xl shadow-card">
      <StepHeading>The results were sent</StepHeading>
      <p role="status" className="mt-2 mb-5">
        {countWords(results)}. The seller’s page “Measure this laptop” now shows them. You can close this
        page.
      </p>
      <CheckResults results={results} />
      <div className="mt-6">{children}</div>
    </section>
  );
}
