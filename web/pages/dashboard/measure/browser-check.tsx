import type { BrowserCheck } from '#contract/certification/browser-checks.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { CheckResults } from '../../../inspections/check-results.tsx';
import { browserWords, comparedWords, countWords } from '../../../inspections/check-words.ts';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { Section } from '../../../ui/section.tsx';

interface BrowserCheckProps {
  check: BrowserCheck;
  /** Whether a script has measured the laptop. */
  isMeasured: boolean;
}

function comparison(browser: BrowserCheck['browser'], isMeasured: boolean): string {
  if (isMeasured) return comparedWords(browser);
  const words = browserWords(browser);
  return words === null
    ? 'The browser told nothing about the machine, and there is no measurement.'
    : `The browser says: ${words}. There is no measurement to compare this with.`;
}

/** What the browser said, and whether it fits the measurement. */
function Plausibility({ check: { browser, implausibilities }, isMeasured }: BrowserCheckProps) {
  if (implausibilities.length > 0) {
    return (
      <ProblemNotice className="mb-5">
        <p className="font-semibold">The browser and the measurement clearly differ.</p>
        <p className="mt-1">
          Buyers do not see these tests. Were they made on this laptop, and on its own screen? Get a new code
          and repeat them there.
        </p>
        <ul className="mt-3 list-disc pl-5">
          {implausibilities.map(({ subject, browser: seen, measured }) => (
            <li key={subject} className="wrap-anywhere">
              {subject}: the browser says {seen}, measured {measured}
            </li>
          ))}
        </ul>
      </ProblemNotice>
    );
  }
  return <p className="mb-5 text-muted text-sm wrap-anywhere">{comparison(browser, isMeasured)}</p>;
}

/** The latest tests in the laptop's browser. */
export function BrowserCheckResult({ check, isMeasured }: BrowserCheckProps) {
  return (
    <Section title="What was tested" className="card">
      <p className="mt-1 mb-4 text-muted">
        <DateTime at={check.checkedAt} />: {countWords(check.results)}.{' '}
        {isMeasured
          ? 'Buyers see this beside the measurement, while they see that.'
          : 'Buyers see this once the laptop is measured as well.'}
      </p>
      <Plausibility check={check} isMeasured={isMeasured} />
      <CheckResults results={check.results} />
    </Section>
  );
}
