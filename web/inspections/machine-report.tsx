import type { LockState, Machine } from '#contract/machine.ts';
import { Badge } from '../ui/badge.tsx';
import { lockLines, measuredValues } from './measured-values.ts';

/** Not found is not green: a lock that was not found may still exist. */
const lockStates = {
  locked: { tone: 'bad', text: 'Found' },
  not_found: { tone: 'neutral', text: 'Not found' },
  unknown: { tone: 'neutral', text: 'Unknown' },
} as const satisfies Record<LockState, { tone: 'bad' | 'neutral'; text: string }>;

interface MachineReportProps {
  machine: Machine;
  /** Whether to say how a lock is released; for the seller. */
  withRelease?: boolean;
}

/** What a laptop reported about itself, each value with its source. */
export function MachineReport({ machine, withRelease = false }: MachineReportProps) {
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-1 sm:gap-y-3 sm:grid-cols-[12rem_1fr]">
      {measuredValues(machine).map(({ label, value, source }) => (
        <div key={`${label} ${value}`} className="contents">
          <dt className="text-quiet">{label}</dt>
          <dd className="mb-2 wrap-anywhere sm:mb-0">
            {value === null ? (
              <Badge>Unknown</Badge>
            ) : (
              <>
                <span className="font-semibold">{value}</span>
                <span className="block text-quiet text-sm">read from {source}</span>
              </>
            )}
          </dd>
        </div>
      ))}
      {lockLines(machine).map(({ label, state, release }) => (
        <div key={label} className="contents">
          <dt className="text-quiet">{label}</dt>
          <dd className="mb-2 sm:mb-0">
            <Badge tone={lockStates[state].tone}>{lockStates[state].text}</Badge>
            {withRelease && state === 'locked' && <span className="mt-1 block text-sm">{release}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
