import type { ListingChange } from '#contract/certification/inspection-desk.ts';
import {
  type Battery,
  type Drive,
  type LockState,
  type Machine,
  machineName,
  memoryModulesText,
  memoryText,
  type Source,
  sources,
  tpmQuoted,
} from '#contract/certification/machine.ts';

/** One line of what was measured. */
export interface MeasuredValue {
  label: string;
  /** Null when it is unknown. */
  value: string | null;
  /** Where it was read, in words; null when it is unknown. */
  source: string | null;
}

const gigabytes = (value: number) => (value >= 1000 ? `${Math.round(value / 100) / 10} TB` : `${value} GB`);

/** A drive in words, such as `512 GB SSD, SAMSUNG MZVLB512, 2,110 hours`. */
export function driveWords(drive: Drive): string {
  const parts = [
    `${gigabytes(drive.gigabytes)} ${drive.kind ?? 'drive'}`,
    drive.model,
    drive.hours === null ? null : `${drive.hours.toLocaleString('en-US')} hours`,
    drive.wear === null ? null : `${drive.wear} % worn`,
    drive.healthy === false ? 'reports a fault' : null,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

/** A battery in words, such as `89 % of its capacity when new (44.9 of 50.5 Wh), 211 cycles`. */
export function batteryWords({ health, designMwh, fullMwh, cycles }: Battery): string {
  const wattHours = (value: number) => (value / 1000).toFixed(1);
  const capacity =
    designMwh === null || fullMwh === null ? '' : ` (${wattHours(fullMwh)} of ${wattHours(designMwh)} Wh)`;
  return `${health} % of its capacity when new${capacity}${cycles === null ? '' : `, ${cycles} cycles`}`;
}

const line = (label: string, value: string | null, source: Source): MeasuredValue => ({
  label,
  value,
  source: value === null ? null : sources[source],
});

/** What a laptop reported, line by line; unknown values are listed too. */
export function measuredValues(machine: Machine): MeasuredValue[] {
  const { processor, memory, drives, screen, graphics, battery } = machine;
  const { board, firmwareDate, serial, system, tpm } = machine;
  return [
    line('Model', machineName(machine), 'firmware'),
    line('Processor', processor?.value ?? null, processor?.source ?? 'system'),
    line('Memory', memory === null ? null : memoryText(memory), memory?.source ?? 'firmware'),
    line('Memory modules', memoryModulesText(machine), machine.memoryModules?.source ?? 'firmware'),
    ...(drives.length === 0
      ? [line('Storage', null, 'drive')]
      : drives.map((drive) => line('Storage', driveWords(drive), 'drive'))),
    line(
      'Display',
      screen === null
        ? null
        : `${screen.value.inches}″, ${screen.value.width} × ${screen.value.height} pixels`,
      'screen',
    ),
    line('Graphics', graphics.length === 0 ? null : graphics.join(', '), 'system'),
    line('Battery', battery === null ? null : batteryWords(battery.value), 'battery'),
    line('Mainboard', board?.value ?? null, 'firmware'),
    line('Firmware date', firmwareDate?.value ?? null, 'firmware'),
    line('Serial number', serial?.value ?? null, 'firmware'),
    line('Security chip (TPM)', tpm === 'quoted' ? tpmQuoted : null, 'system'),
    line('Ran during the measurement', system?.value ?? null, 'system'),
  ];
}

export interface LockLine {
  label: string;
  state: LockState;
  /** What a seller does to release the lock. */
  release: string;
}

/** The locks that a buyer has to fear. A lock that was not found may still exist. */
export function lockLines({ locks }: Machine): LockLine[] {
  return [
    {
      label: 'Firmware (BIOS) password',
      state: locks.firmwarePassword,
      release: 'Enter the firmware’s setup with the password and remove it there.',
    },
    {
      label: 'Absolute Persistence (Computrace)',
      state: locks.absolute,
      release:
        'Only its owner, usually a company, can release it: ask them to remove the device from Absolute.',
    },
    {
      label: 'Management by an organization',
      state: locks.management,
      release:
        'Ask the organization to release the device (Intune, Autopilot or its MDM). Erasing it is not enough.',
    },
    {
      label: 'Activation Lock',
      state: locks.activationLock,
      release: 'Sign out of iCloud in System Settings, which turns off Find My Mac.',
    },
  ];
}

/** Not found is not green: a lock that was not found may still exist. */
export const lockStates = {
  locked: { tone: 'bad', text: 'Found' },
  not_found: { tone: 'neutral', text: 'Not found' },
  unknown: { tone: 'neutral', text: 'Unknown' },
} as const satisfies Record<LockState, { tone: 'bad' | 'neutral'; text: string }>;

/** The values and locks of a machine in words, by their labels. Several drives are numbered. */
function measuredTexts(machine: Machine): Map<string, string> {
  const texts = new Map<string, string>();
  let drives = 0;
  for (const { label, value } of measuredValues(machine)) {
    if (label === 'Storage') drives += 1;
    texts.set(label === 'Storage' && drives > 1 ? `Storage ${drives}` : label, value ?? 'Unknown');
  }
  for (const { label, state } of lockLines(machine)) texts.set(label, lockStates[state].text);
  return texts;
}

/** What differs between two measurements, in the order of a report; empty texts for drives that only one of them has. */
export function measuredChanges(before: Machine, after: Machine): ListingChange[] {
  const [old, now] = [measuredTexts(before), measuredTexts(after)];
  return [...new Set([...now.keys(), ...old.keys()])].flatMap((field) => {
    const change = { field, before: old.get(field) ?? '', after: now.get(field) ?? '' };
    return change.before === change.after ? [] : [change];
  });
}
