import type { InspectionKind } from '#contract/certification/checklist.ts';
import type { Decision } from '#contract/certification/inspection-queue.ts';
import type { Measurement } from '#contract/certification/inspections.ts';
import { type DeviceLockName, deviceLockNames, type Machine } from '#contract/certification/machine.ts';
import {
  type Comparison,
  compareFacts,
  findMissing,
  type ListedConfiguration,
} from '#contract/certification/measured-configuration.ts';
import { conditions } from '#contract/listings/laptop-schemas.ts';
import type { Level } from '#contract/listings/levels.ts';

/** The parts of a listing that a measurement is compared with. */
export interface ListingFacts extends ListedConfiguration {
  condition: 'Excellent' | 'Good' | 'Fair';
}

/** The least battery health in percent by condition; a fair laptop may have any. */
export interface BatteryFloors {
  Excellent: number;
  Good: number;
}

/** Compares the battery with the floor of the condition; a fair laptop has none. */
function compareCondition(
  { condition }: ListingFacts,
  { battery }: Machine,
  floors: BatteryFloors,
): Comparison[] {
  if (condition === 'Fair') return [];
  const fact = 'condition';
  if (battery === null) return [{ fact, outcome: 'not_read' }];
  if (battery.value.health >= floors[condition]) return [{ fact, outcome: 'measured' }];
  return [
    {
      fact,
      outcome: {
        field: 'Condition',
        listed: `${condition}: battery of at least ${floors[condition]} %`,
        measured: `${battery.value.health} %`,
      },
    },
  ];
}

/** The conditions that a laptop's battery allows; all when its health is unknown. */
export function allowedConditions(
  { battery }: Machine,
  floors: BatteryFloors,
): (typeof conditions)[number][] {
  return conditions.filter(
    (condition) => condition === 'Fair' || battery === null || battery.value.health >= floors[condition],
  );
}

/** Compares a listing with what the laptop reported, fact by fact. */
export const compareListing = (
  listing: ListingFacts,
  machine: Machine,
  floors: BatteryFloors,
): Comparison[] => [...compareFacts(listing, machine), ...compareCondition(listing, machine, floors)];

/**
 * Whether a listing counts as measured: its processor and its memory were read, known and compared with what the listing says
 * of them, nothing contradicts it, and no lock was found.
 */
export function isMeasured({ comparisons, machine }: Pick<Measurement, 'comparisons' | 'machine'>): boolean {
  const isContradicted = comparisons.some(({ state }) => state === 'contradicted');
  return findMissing(comparisons, machine).length === 0 && !isContradicted && !hasDeviceLock(machine);
}

/** A machine with the keyed hash of its serial number; null when it is unknown. */
interface MeasuredMachine {
  machine: Machine;
  machineHash: string | null;
}

/**
 * Whether a measurement or a browser check of a laptop counts. An inspection counts with its measurement.
 * @param at when it was made
 */
export const countsForListing = (
  { evidence_since: since }: { evidence_since: Date | null },
  at: Date,
): boolean => since === null || at >= since;

/** A decision about a laptop, as far as it decides about its level. */
export interface InspectionColumns {
  kind: InspectionKind;
  decision: Decision;
  inspected_at: Date;
  laptop_version: number;
  measurement_id: string;
}

/**
 * Whether a decision is about the listing and the measurement as they are. A seller can send a later report with the same
 * serial number and better values, so the serial number does not carry an inspection over.
 */
export const isAboutPresentListing = (
  decided: InspectionColumns | undefined,
  laptop: { version: number },
  measurement: { id: string },
): boolean => decided?.laptop_version === laptop.version && decided.measurement_id === measurement.id;

/**
 * The level of a laptop. `at` is when it was measured or inspected; null for the seller's word.
 * @param measurement the latest one; undefined unless the listing counts as measured by it
 * @param inspection the latest one
 */
export function levelOf(
  laptop: { version: number },
  measurement: { id: string; measured_at: Date } | undefined,
  inspection: InspectionColumns | undefined,
): { level: Level; at: Date | null } {
  if (measurement === undefined) return { level: 'word', at: null };
  if (inspection?.decision === 'approved' && isAboutPresentListing(inspection, laptop, measurement)) {
    const level = inspection.kind === 'hand' ? 'inspected_hand' : 'inspected_photos';
    return { level, at: inspection.inspected_at };
  }
  return { level: 'measured', at: measurement.measured_at };
}

/** Whether a lock was found on a machine. */
export const hasDeviceLock = ({ locks }: Machine): boolean =>
  Object.values(locks).some((state) => state === 'locked');

/** Whether two measurements are of different machines; null when a serial number is unknown. @param before, now their hashes */
export const isOtherMachine = (before: string | null, now: string | null): boolean | null =>
  before === null || now === null ? null : before !== now;

/** A machine on which these locks count as found. */
export const withDeviceLocks = (machine: Machine, found: readonly DeviceLockName[]): Machine => ({
  ...machine,
  locks: { ...machine.locks, ...Object.fromEntries(found.map((lock) => [lock, 'locked'] as const)) },
});

/**
 * A measurement whose unknown locks are those that were found before: a report that leaves a lock out does not release it.
 * @param remembered the locks that are remembered of the machine, from any listing
 * @param previous the measurement before of the same laptop or draft, with the locks that it kept itself. They are kept where one of the
 * two serial numbers is unknown, because it may be the same machine; otherwise what is remembered decides
 */
export function keepFoundDeviceLocks(
  { machine, machineHash }: MeasuredMachine,
  remembered: readonly DeviceLockName[],
  previous: MeasuredMachine | undefined,
): Machine {
  const isKept = (lock: DeviceLockName) =>
    previous?.machine.locks[lock] === 'locked' && isOtherMachine(previous.machineHash, machineHash) === null;
  return withDeviceLocks(
    machine,
    deviceLockNames.filter(
      (lock) => machine.locks[lock] === 'unknown' && (remembered.includes(lock) || isKept(lock)),
    ),
  );
}

/** Crockford's Base32 alphabet, which leaves out I, L, O and U. */
const CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_CHARACTERS = 12;

/** A code of 60 random bits in groups of four. @param random at least 12 random bytes */
export function formatCode(random: Uint8Array): string {
  const characters = [...random.subarray(0, CODE_CHARACTERS)]
    .map((byte) => CODE_ALPHABET[byte % 32])
    .join('');
  return characters.replace(/(.{4})(?=.)/g, '$1-');
}

/** A typed code in its canonical form: upper case, look-alikes mapped to digits, without separators. */
export function canonicalCode(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1');
}
