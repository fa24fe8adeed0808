import type { Battery, Drive, Machine } from '#contract/certification/machine.ts';
import type { SameLaptopCheck } from '#contract/certification/same-laptop.ts';
import { type MeasuredMachine, partHashes } from './machine-hashes.ts';

/** A stored measurement, which has the hashes of its parts in one list. */
export interface StoredMachine {
  machine: Machine;
  machine_hash: string | null;
  part_hashes: readonly string[];
}

export type Comparison = Omit<SameLaptopCheck, 'at'>;
type Difference = Comparison['differences'][number];

/** How far the battery's capacity may change between two measurements, as a part of it: gauges vary from charge to charge. */
const CAPACITY_TOLERANCE = 0.03;

const text = (value: { value: string } | null): string => value?.value ?? 'another one';

function compareSerial(before: StoredMachine, now: MeasuredMachine): Difference[] {
  const isOther =
    before.machine_hash !== null && now.hashes.machine !== null && before.machine_hash !== now.hashes.machine;
  if (!isOther) return [];
  return [{ subject: 'Serial number', before: text(before.machine.serial), now: text(now.machine.serial) }];
}

/** The hashes of before that are not there now. */
const missingParts = (before: StoredMachine, { hashes }: MeasuredMachine): string[] => {
  const present = new Set(partHashes(hashes));
  return before.part_hashes.filter((hash) => !present.has(hash));
};

/**
 * The parts that are not those of before: their hash is new, and one of before is missing. It is not stored of which part a
 * hash is, so that several new parts for one missing hash are named together.
 */
function compareParts(before: StoredMachine, now: MeasuredMachine): Difference[] {
  const known = new Set(before.part_hashes);
  const missing = missingParts(before, now).length;
  const { board, drives, tpm } = now.hashes;
  const isNew = (hash: string | null) => hash !== null && !known.has(hash);
  const isTpmNew = before.machine.tpm === 'quoted' && isNew(tpm);
  const names = [
    ...(isNew(board) ? ['Mainboard'] : []),
    ...(drives.some(isNew) ? ['Drive'] : []),
    ...(isTpmNew ? ['TPM'] : []),
  ];
  if (missing === 0 || names.length === 0) return [];
  const subjects = missing < names.length ? [names.join(' or ')] : names;
  return subjects.map((subject) => ({ subject, before: 'the measured one', now: 'another one' }));
}

const least = (
  subject: string,
  unit: string,
  [before, now]: readonly [number | null | undefined, number | null | undefined],
): Difference[] =>
  typeof before !== 'number' || typeof now !== 'number' || now >= before
    ? []
    : [{ subject, before: `${before} ${unit}`, now: `${now} ${unit}` }];

/** Hours of drives of one model, ascending. */
const hoursOf = (drives: readonly Drive[], { model, gigabytes }: Drive): number[] =>
  drives
    .filter((drive) => drive.model === model && drive.gigabytes === gigabytes)
    .flatMap(({ hours }) => (hours === null ? [] : [hours]))
    .sort((one, other) => one - other);

function compareDriveHours(before: readonly Drive[], now: readonly Drive[]): Difference[] {
  const models = new Map(before.map((drive) => [`${drive.model} ${drive.gigabytes}`, drive]));
  return [...models.values()].flatMap((drive) => {
    const [earlier, later] = [hoursOf(before, drive), hoursOf(now, drive)];
    // A drive was taken out or its hours cannot be read: its serial number tells.
    if (earlier.length !== later.length) return [];
    return earlier.flatMap((hours, at) => least(`Hours of ${drive.model}`, 'hours', [hours, later[at]]));
  });
}

function compareCapacity(before: Battery, now: Battery): Difference[] {
  const isMeasured = before.fullMwh !== null && now.fullMwh !== null;
  const [earlier, later] = isMeasured ? [before.fullMwh ?? 0, now.fullMwh ?? 0] : [before.health, now.health];
  if (Math.abs(later - earlier) <= earlier * CAPACITY_TOLERANCE) return [];
  return [{ subject: 'Battery capacity', before: `${before.health} %`, now: `${now.health} %` }];
}

/** What could be read before, and not now. */
function findUnread(before: StoredMachine, now: MeasuredMachine): string[] {
  const { machine, hashes } = now;
  const { battery } = before.machine;
  const found: [name: string, isUnread: boolean][] = [
    ['Serial number', before.machine_hash !== null && hashes.machine === null],
    ['A part', missingParts(before, now).length > 0 && compareParts(before, now).length === 0],
    ['Battery', battery !== null && machine.battery === null],
    ['Battery cycles', battery?.value.cycles != null && machine.battery?.value.cycles === null],
  ];
  return found.filter(([, isUnread]) => isUnread).map(([name]) => name);
}

/**
 * Compares a laptop with an earlier measurement: its serial number and parts are the same, its counters have not gone back,
 * and its battery has the same capacity within 3 %.
 */
export function compareLaptops(before: StoredMachine, now: MeasuredMachine): Comparison {
  const [batteryBefore, battery] = [before.machine.battery?.value, now.machine.battery?.value];
  const differences = [
    ...compareSerial(before, now),
    ...compareParts(before, now),
    ...least('Battery cycles', 'cycles', [batteryBefore?.cycles, battery?.cycles]),
    ...compareDriveHours(before.machine.drives, now.machine.drives),
    ...(batteryBefore === undefined || battery === undefined ? [] : compareCapacity(batteryBefore, battery)),
  ];
  const isRecognized = before.machine_hash !== null && before.machine_hash === now.hashes.machine;
  return {
    result: differences.length > 0 ? 'different' : isRecognized ? 'same' : 'unknown',
    differences,
    unread: findUnread(before, now),
  };
}
