import type { MeasuredSystem } from '#contract/inspections.ts';
import { readLinuxReport } from './linux.ts';
import type { MachineReading } from './machine-reading.ts';
import { readMacosReport } from './macos.ts';
import type { Report } from './report.ts';
import { readWindowsReport } from './windows.ts';

const readers: Record<MeasuredSystem, (sections: Report['sections']) => MachineReading> = {
  linux: readLinuxReport,
  windows: readWindowsReport,
  macos: readMacosReport,
};

/** The maximum number of drives of a laptop; a report with more is not one of a laptop. */
const MAXIMUM_DRIVES = 16;

/** Reads what a laptop reported. What is missing or not understood is unknown. */
export function readReport({ system, sections }: Report): MachineReading {
  const { machine, identity } = readers[system](sections);
  return {
    machine: { ...machine, drives: machine.drives.slice(0, MAXIMUM_DRIVES) },
    identity: { ...identity, driveSerials: identity.driveSerials.slice(0, MAXIMUM_DRIVES) },
  };
}
