import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { CheckResults } from '../../../inspections/check-results.tsx';
import { countWords } from '../../../inspections/check-words.ts';
import { MachineReport } from '../../../inspections/machine-report.tsx';
import { MeasureForm } from '../../../inspections/measure-form.tsx';
import type { LaptopDraft } from '../../../laptop-form/use-laptop-draft.ts';
import { Button } from '../../../ui/button.tsx';
import { Details } from '../../../ui/details.tsx';
import { ErrorText } from '../../../ui/error-text.tsx';
import { Notice } from '../../../ui/notice.tsx';

/** Measures the laptop before it is listed: first a button, then the code and the command, then the report. */
export function DraftMeasuring({ draft }: { draft: LaptopDraft }) {
  const { measurement, check } = draft;
  const [isOpen, setOpen] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const deletion = useMutation({
    mutationFn: draft.deleteMeasurement,
    onSuccess: () => heading.current?.focus(),
    onError: draft.refetch,
  });
  return (
    <section aria-labelledby="measuring" className="rounded-xl border border-border p-5">
      <h2 id="measuring" ref={heading} tabIndex={-1} className="text-lg">
        Measured by the laptop itself
      </h2>
      <p className="mt-1 max-w-prose text-muted">
        Are you at the laptop? It can fill in its configuration, battery and drives below itself. Buyers then
        see that it was measured, unless the listing says something else.
      </p>
      {draft.isGone && (
        <Notice tone="info" role="alert" className="mt-3">
          The draft with its measurement and its code for the slip is no longer kept. Your text is still here;
          please measure again and get a new code, or list the laptop without them.
        </Notice>
      )}
      {measurement !== null && (
        <Details summary="What was measured" className="mt-3">
          <MachineReport machine={measurement.machine} withRelease />
        </Details>
      )}
      {check !== null && (
        <Details summary={<>What was tested in its browser: {countWords(check.results)}</>} className="mt-3">
          <CheckResults results={check.results} />
        </Details>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        <Button variant="secondary" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {measurement === null ? 'Measure this laptop' : 'Measure again'}
        </Button>
        {measurement !== null && (
          <Button
            variant="danger"
            busy={deletion.isPending && 'Deleting the measurement'}
            onClick={() => deletion.mutate()}
          >
            Delete the measurement
          </Button>
        )}
      </div>
      {deletion.isError && measurement !== null && (
        <ErrorText className="mt-3">The measurement was not deleted. {deletion.error.message}</ErrorText>
      )}
      {isOpen && (
        <div className="mt-4">
          <MeasureForm
            createCode={draft.createCode}
            sendReport={draft.sendReport}
            measuredAt={measurement?.measuredAt ?? null}
            onCode={draft.setCodeExpiresAt}
            onReport={draft.refetch}
            measuredWith={measurement?.measuredWith ?? null}
            hasBrowserTests
          />
        </div>
      )}
    </section>
  );
}
