import type { Contradiction } from '#contract/certification/inspections.ts';
import { type LockState, type Machine, measuredValues } from '#contract/certification/machine.ts';
import { Badge } from '../ui/badge.tsx';
import { lockLines } from './measured-values.ts';

/** Not found is not green: a lock that was not found may still exist. */
const lockStates = {
  locked: { tone: 'bad', text: 'Found' },
  not_found: { tone: 'neutral', text: 'Not found' },
  unknown: { tone: 'neutral', text: 'Unknown' },
} as const satisfies Record<LockState, { tone: 'bad' | 'neutral'; text: string }>;

/** The line of a field in which listing and machine differ. */
const lineOfField = (field: string) => (field === 'Condition' ? 'Battery' : field);
/** All drives are one field. */
const fieldOfLine = (label: string) => label.replace(/^Storage \d+$/, 'Storage');

interface MachineReportProps {
  machine: Machine;
  /** What contradicts the listing; each is marked at its value. */
  contradictions?: readonly Contradiction[];
  /** Whether to say how a lock is released; for the seller. */
  withRelease?: boolean;
}

/** What a laptop reported about itself, each value with its source. */
export function MachineReport({ machine, contradictions = [], withRelease = false }: MachineReportProps) {
  const contradicted = new Map(contradictions.map(({ field, listed }) => [lineOfField(field), listed]));
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-1 sm:gap-y-3 sm:grid-cols-[12rem_1fr]">
      {measuredValues(machine).map(({ label, value, source }) => (
        <div key={`${label} ${value}`} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd className="mb-2 wrap-anywhere sm:mb-0">
            {value === null ? (
              <Badge>Unknown</Badge>
            ) : (
              <>
                <span className="font-semibold">{value}</span>
                <span className="block text-muted text-sm">read from {source}</span>
                {contradicted.has(fieldOfLine(label)) && (
                  <span className="mt-1 flex flex-wrap items-center gap-2 text-sm">
                    <Badge tone="bad">Contradicted</Badge> listed as {contradicted.get(fieldOfLine(label))}
                  </span>
                )}
              </>
            )}
          </dd>
        </div>
      ))}
      {lockLines(machine).map(({ label, state, release }) => (
        <div key={label} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd className="mb-2 sm:mb-0">
            <Badge tone={lockStates[state].tone}>{lockStates[state].text}</Badge>
            {withRelease && state === 'locked' && <span className="mt-1 block text-sm">{release}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
