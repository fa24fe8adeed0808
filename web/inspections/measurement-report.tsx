import type { EarlierMeasurement } from '#contract/certification/inspection-queue.ts';
import type { Measurement } from '#contract/certification/inspections.ts';
import { DateTime } from '../formats/date-time.tsx';
import { Notice } from '../ui/notice.tsx';
import { ChangeList } from './change-list.tsx';
import { ComparedFactsList } from './compared-facts-list.tsx';
import { MachineReport } from './machine-report.tsx';
import { measuredChanges } from './measured-values.ts';

/** For admins: what a laptop reported, after what contradicts its listing. */
export function MeasurementReport({ measurement }: { measurement: Measurement }) {
  const { comparisons, contradictions, machine } = measurement;
  return (
    <>
      {contradictions.length > 0 && (
        <ul className="mb-5 list-disc rounded-lg border border-danger bg-danger-soft p-4 pl-9">
          {contradictions.map(({ field, listed, measured }) => (
            <li key={field}>
              {field}: listed as {listed}, measured {measured}
            </li>
          ))}
        </ul>
      )}
      <ComparedFactsList comparisons={comparisons} />
      <MachineReport machine={machine} />
    </>
  );
}

interface MeasurementChangesProps {
  measurement: Measurement;
  earlier: EarlierMeasurement;
}

/** For admins: what differs between a measurement and the one before it. */
export function MeasurementChanges({ measurement, earlier }: MeasurementChangesProps) {
  const changes = measuredChanges(earlier.machine, measurement.machine);
  return (
    <>
      <p className="mb-4 text-muted">
        Measured <DateTime at={earlier.measuredAt} />, and again <DateTime at={measurement.measuredAt} />.
      </p>
      {earlier.isOtherMachine === true && (
        <Notice tone="problem" className="mb-5 font-semibold">
          The serial numbers differ: another laptop was measured before.
        </Notice>
      )}
      {changes.length === 0 ? <p>Both say the same.</p> : <ChangeList changes={changes} />}
    </>
  );
}
