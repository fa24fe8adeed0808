import { useState } from 'react';
import { useParams } from 'react-router';
import type { BrowserCheck } from '#contract/certification/browser-checks.ts';
import {
  createMeasurementCode,
  type Measurement,
  measuredSystems,
  type OwnMeasurement,
  readOwnMeasurement,
  submitReport,
} from '#contract/certification/inspections.ts';
import { MAXIMUM_ABSENCE_DAYS } from '#contract/listings/levels.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { CheckResults } from '../../../inspections/check-results.tsx';
import {
  browserWords,
  comparedWords,
  countWords,
  differenceWords,
} from '../../../inspections/check-words.ts';
import { ComparedFactsList } from '../../../inspections/compared-facts-list.tsx';
import { MachineReport } from '../../../inspections/machine-report.tsx';
import { MeasureForm } from '../../../inspections/measure-form.tsx';
import { pollWhileCode } from '../../../inspections/poll-while-code.ts';
import { ProblemList } from '../../../inspections/problem-list.tsx';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { privateMeta } from '../../../metadata/page-meta.ts';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { useApi } from '../../../session/session.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { Section } from '../../../ui/section.tsx';
import { Contradictions } from './contradictions.tsx';

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
function Plausibility({ check, isMeasured }: BrowserCheckProps) {
  if (check.implausibilities.length === 0) {
    return <p className="mb-5 text-muted text-sm wrap-anywhere">{comparison(check.browser, isMeasured)}</p>;
  }
  return (
    <ProblemList
      role="alert"
      title="The browser and the measurement clearly differ."
      items={differenceWords(check)}
      className="mb-5"
    >
      Buyers do not see these tests. Were they made on this laptop, and on its own screen? Get a new code and
      repeat them there.
    </ProblemList>
  );
}

/** The latest tests in the laptop's browser. */
function BrowserCheckResult({ check, isMeasured }: BrowserCheckProps) {
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

export const meta = privateMeta('Measure this laptop');

interface ResultProps {
  measurement: Measurement;
  ended: OwnMeasurement['ended'];
  isOtherMachine: boolean | null;
}

const endedTexts = {
  returned:
    'A buyer sent this laptop back or did not take it, so this measurement does not count any more. Buyers do not see it. Measure the laptop again; then you can sell it again.',
  absent: `This laptop was not for sale for more than ${MAXIMUM_ABSENCE_DAYS} days, so this measurement does not count any more. Buyers do not see it. Measure the laptop again, and it counts as measured.`,
} as const;

function Result({ measurement, ended, isOtherMachine }: ResultProps) {
  return (
    <Section title="What was measured" className="card">
      <p className="mt-1 mb-5 text-muted">
        <DateTime at={measurement.measuredAt} />, with the shop’s script for{' '}
        {measuredSystems[measurement.measuredWith]}. “Unknown” means that the value could not be read.
      </p>
      {ended !== null && <ProblemNotice className="mb-6">{endedTexts[ended]}</ProblemNotice>}
      {isOtherMachine === true && (
        <ProblemNotice className="mb-6">
          Its serial number is not that of the measurement before: this is another laptop. If it is not the
          one that you are selling, measure the right one.
        </ProblemNotice>
      )}
      <Contradictions measurement={measurement} />
      <ComparedFactsList comparisons={measurement.comparisons} />
      <h3 className="mb-2 text-lg">What the laptop reported</h3>
      <MachineReport machine={measurement.machine} withRelease />
    </Section>
  );
}

/** A seller measures one of their own laptops. */
export default function MeasurePage() {
  const { id = '' } = useParams();
  const api = useApi();
  const [codeExpiresAt, setCodeExpiresAt] = useState<string | null>(null);
  const query = useRead(
    readOwnMeasurement,
    { params: { _id: id } },
    { refetchInterval: () => pollWhileCode(codeExpiresAt) },
  );
  return (
    <>
      <PageHeading title="Measure this laptop">
        The laptop reports its own processor, memory, drives, screen and battery. Buyers see the results once
        processor and memory are measured, unless they contradict the listing or a lock was found.
      </PageHeading>
      <QueryView query={query} what="this laptop" back="myProducts">
        {({ measurement, ended, isOtherMachine, check }) => (
          <div className="flex flex-col gap-6">
            <MeasureForm
              createCode={() => api.call(createMeasurementCode, { params: { _id: id } })}
              sendReport={async (report) => {
                await api.call(submitReport, { body: { laptopId: id, report } });
              }}
              measuredAt={measurement?.measuredAt ?? null}
              onCode={setCodeExpiresAt}
              onReport={() => void query.refetch()}
              measuredWith={measurement?.measuredWith ?? null}
              hasBrowserTests
            />
            {measurement !== null && (
              <Result measurement={measurement} ended={ended} isOtherMachine={isOtherMachine} />
            )}
            {check !== null && <BrowserCheckResult check={check} isMeasured={measurement !== null} />}
          </div>
        )}
      </QueryView>
    </>
  );
}
