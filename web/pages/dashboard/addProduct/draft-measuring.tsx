import { useRef, useState } from 'react';
import { MachineReport } from '../../../inspections/machine-report.tsx';
import { MeasureForm } from '../../../inspections/measure-form.tsx';
import type { UsedDraftMeasurement } from '../../../laptop-form/use-draft-measurement.ts';
import { Button } from '../../../ui/button.tsx';

/** Measures the laptop before it is listed: first a button, then the code and the command, then the report. */
export function DraftMeasuring({ draft }: { draft: UsedDraftMeasurement }) {
  const { measurement } = draft;
  const [isOpen, setOpen] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <section aria-labelledby="measuring" className="rounded-xl border border-line p-5">
      <h2 id="measuring" ref={heading} tabIndex={-1} className="text-lg">
        Measured by the laptop itself
      </h2>
      <p className="mt-1 max-w-prose text-quiet">
        The laptop can fill in its configuration, battery and drives itself. Buyers then see that it was
        measured, unless the listing says something else.
      </p>
      {draft.isGone && (
        <p role="alert" className="mt-3 rounded-lg bg-orange-soft px-4 py-3">
          The earlier measurement is no longer kept. Your text is still here; please measure again, or list
          the laptop without a measurement.
        </p>
      )}
      {measurement !== null && (
        <details className="mt-3">
          <summary className="cursor-pointer py-2 font-semibold">What was measured</summary>
          <div className="mt-3">
            <MachineReport machine={measurement.machine} withRelease />
          </div>
        </details>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        <Button variant="secondary" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {measurement === null ? 'Measure this laptop' : 'Measure again'}
        </Button>
        {measurement !== null && (
          <Button
            variant="danger"
            onClick={() => {
              draft.discard();
              heading.current?.focus();
            }}
          >
            Delete the measurement
          </Button>
        )}
      </div>
      {isOpen && (
        <div className="mt-4">
          <MeasureForm
            createCode={draft.createCode}
            sendReport={draft.sendReport}
            measuredAt={measurement?.measuredAt ?? null}
            onCode={draft.setCodeExpiresAt}
            onReport={draft.refetch}
          />
        </div>
      )}
    </section>
  );
}
