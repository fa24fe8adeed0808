import type { Contradiction } from '#contract/certification/inspections.ts';
import { type Machine, measuredValues } from '#contract/certification/machine.ts';
import { Badge } from '../ui/badge.tsx';
import { type Fact, FactList } from '../ui/fact-list.tsx';
import { lockLines, lockStates } from './measured-values.ts';

/** The line of a field in which listing and machine differ. */
const lineOfField = (field: string) => (field === 'Condition' ? 'Battery' : field);
/** All drives are one field. */
const fieldOfLine = (label: string) => label.replace(/^Storage \d+$/, 'Storage');

/** What a laptop reported about itself, each value with its source. @param contradictions each is marked at its value */
export function machineFacts(machine: Machine, contradictions: readonly Contradiction[] = []): Fact[] {
  const contradicted = new Map(contradictions.map(({ field, listed }) => [lineOfField(field), listed]));
  return measuredValues(machine).map(({ label, value, source }) => ({
    name: label,
    value:
      value === null ? (
        <Badge tone="unchecked">Unknown</Badge>
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
      ),
  }));
}

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
  contradictions?: readonly Contradiction[];
  withRelease?: boolean;
}

/** What a laptop reported about itself, and its locks. */
export const MachineReport = ({ machine, contradictions, withRelease }: MachineReportProps) => (
  <FactList facts={[...machineFacts(machine, contradictions), ...lockFacts(machine, withRelease)]} />
);
