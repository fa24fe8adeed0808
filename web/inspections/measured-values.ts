import type { ListingChange } from '#contract/certification/inspection-queue.ts';
import {
  type DeviceLockName,
  type DeviceLockState,
  deviceLockLabels,
  deviceLockNames,
  type Machine,
  measuredValues,
} from '#contract/certification/machine.ts';

export interface LockLine {
  label: string;
  state: DeviceLockState;
  /** What a seller does to release the lock. */
  release: string;
}

const releases = {
  firmwarePassword: 'Enter the firmware’s setup with the password and remove it there.',
  absolute: 'Only its owner, usually a company, can release it: ask them to remove the device from Absolute.',
  management:
    'Ask the organization to release the device (Intune, Autopilot or its MDM). Erasing it is not enough.',
  activationLock: 'Sign out of iCloud in System Settings, which turns off Find My Mac.',
} as const satisfies Record<DeviceLockName, string>;

/** The locks of a machine. A lock that was not found may still exist. */
export const lockLines = ({ locks }: Machine): LockLine[] =>
  deviceLockNames.map((lock) => ({
    label: deviceLockLabels[lock],
    state: locks[lock],
    release: releases[lock],
  }));

/** Not found is not green: a lock that was not found may still exist. */
export const lockStates = {
  locked: { tone: 'bad', text: 'Found' },
  not_found: { tone: 'neutral', text: 'Not found' },
  unknown: { tone: 'unchecked', text: 'Unknown' },
} as const satisfies Record<DeviceLockState, { tone: 'bad' | 'neutral' | 'unchecked'; text: string }>;

/** The values and locks of a machine in words, by their labels. */
const measuredTexts = (machine: Machine) =>
  new Map([
    ...measuredValues(machine).map(({ label, value }) => [label, value ?? 'Unknown'] as const),
    ...lockLines(machine).map(({ label, state }) => [label, lockStates[state].text] as const),
  ]);

/** What differs between two measurements, in the order of a report; empty texts for drives that only one of them has. */
export function measuredChanges(before: Machine, after: Machine): ListingChange[] {
  const [old, now] = [measuredTexts(before), measuredTexts(after)];
  return [...new Set([...now.keys(), ...old.keys()])].flatMap((field) => {
    const change = { field, before: old.get(field) ?? '', after: now.get(field) ?? '' };
    return change.before === change.after ? [] : [change];
  });
}
