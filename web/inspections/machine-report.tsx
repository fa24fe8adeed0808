import { type Machine, measuredValues } from '#contract/certification/machine.ts';
import { Badge } from '../ui/badge.tsx';
import { type Fact, FactList } from '../ui/fact-list.tsx';
import { lockLines, lockStates } from './measured-values.ts';

/** What a laptop reported about itself, each value with its source. */
export const machineFacts = (machine: Machine): Fact[] =>
  measuredValues(machine).map(({ label, value, source }) => ({
    name: label,
    value:
      value === null ? (
        <Badge tone="unchecked">Unknown</Badge>
      ) : (
        <>
          <span className="font-semibold">{value}</span>
          <span className="block text-muted text-sm">read from {source}</span>
        </>
      ),
  }));

/** The locks of a laptop. @param withRelease whether to say how a lock is released; for the seller */
export const lockFacts = (machine: Machine, withRelease = false): Fact[] =>
  lockLines(machine).map(({ label, state, release }) => ({
    name: label,
    value: (
      <>
        <Badge tone={lockStates[state].tone}>{lockStates[state].text}</Badge>
        {withRelease && state === 'locked' && <span className="mt-1 block text-sm">{release}</span>}
      </>
    ),
  }));

interface MachineReportProps {
  machine: Machine;
  withRelease?: boolean;
}

/** What a laptop reported about itself, and its locks. */
export const MachineReport = ({ machine, withRelease }: MachineReportProps) => (
  <FactList facts={[...machineFacts(machine), ...lockFacts(machine, withRelease)]} />
);
