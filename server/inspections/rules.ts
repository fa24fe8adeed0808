import { type FactField, type Facts, readFacts } from '#contract/facts.ts';
import type { Contradiction, Machine, Measurement } from '#contract/inspections.ts';
import { conditions } from '#contract/laptop-schemas.ts';

/** The parts of a listing that a measurement is compared with. */
export interface ListingFacts {
  condition: 'Excellent' | 'Good' | 'Fair';
  facts: Facts;
  /** The seller's own words: a text, or one per configuration field. */
  description: string | Readonly<Record<string, string>>;
}

/** The least battery health in percent by condition; a fair laptop may have any. */
export interface BatteryFloors {
  Excellent: number;
  Good: number;
}
export const standardBatteryFloors: BatteryFloors = { Excellent: 85, Good: 80 };

/** A drive sold as 512 GB reports 500 to 525 GB. */
const STORAGE_TOLERANCE = 0.1;
/** Makers round diagonals: 15.6 inches are measured as 15.5. */
const SCREEN_TOLERANCE_INCHES = 0.35;

const formatGigabytes = (gigabytes: number) =>
  gigabytes >= 1000 ? `${Math.round(gigabytes / 100) / 10} TB` : `${gigabytes} GB`;

/** A field of the listing in the seller's words; a description in one text is not repeated. */
function inWords({ description }: ListingFacts, field: FactField, fallback: string): string {
  return (typeof description === 'string' ? undefined : description[field]) ?? fallback;
}

function compareMemory(listing: ListingFacts, { memory }: Machine): Contradiction[] {
  const { facts } = listing;
  if (facts.memory === undefined || memory === null || facts.memory === memory.value) return [];
  return [
    {
      field: 'Memory',
      listed: inWords(listing, 'Memory', `${facts.memory} GB`),
      measured: `${memory.value} GB`,
    },
  ];
}

function compareStorage(listing: ListingFacts, { drives }: Machine): Contradiction[] {
  const { facts } = listing;
  const largest = Math.max(0, ...drives.map((drive) => drive.gigabytes));
  if (facts.storage === undefined || largest === 0) return [];
  // Listings give 1 TB as 1024 GB.
  const listed = facts.storage >= 1024 ? (facts.storage / 1024) * 1000 : facts.storage;
  if (Math.abs(listed - largest) <= listed * STORAGE_TOLERANCE) return [];
  return [
    {
      field: 'Storage',
      listed: inWords(listing, 'Storage', formatGigabytes(listed)),
      measured: formatGigabytes(largest),
    },
  ];
}

function compareScreen(listing: ListingFacts, { screen }: Machine): Contradiction[] {
  const { facts } = listing;
  if (facts.screen === undefined || screen === null) return [];
  if (Math.abs(facts.screen - screen.value.inches) <= SCREEN_TOLERANCE_INCHES) return [];
  return [
    {
      field: 'Display',
      listed: inWords(listing, 'Display', `${facts.screen}″`),
      measured: `${screen.value.inches}″`,
    },
  ];
}

function compareProcessor(listing: ListingFacts, { processor }: Machine): Contradiction[] {
  const { facts } = listing;
  if (processor === null) return [];
  const measured = readFacts({ Processor: processor.value });
  const differs = (name: 'processor' | 'generation') =>
    facts[name] !== undefined && measured[name] !== undefined && facts[name] !== measured[name];
  if (!differs('processor') && !differs('generation')) return [];
  return [
    {
      field: 'Processor',
      listed: inWords(listing, 'Processor', 'another processor'),
      measured: processor.value,
    },
  ];
}

function compareGraphics(listing: ListingFacts, { graphics }: Machine): Contradiction[] {
  const { facts } = listing;
  if (facts.graphics === undefined || graphics.length === 0) return [];
  const kinds = graphics.map((name) => readFacts({ Graphics: name }).graphics);
  // An adapter that is not understood may be the listed one.
  if (kinds.includes(undefined) || kinds.includes(facts.graphics)) return [];
  return [
    {
      field: 'Graphics',
      listed: inWords(listing, 'Graphics', 'other graphics'),
      measured: graphics.join(', '),
    },
  ];
}

function compareCondition(
  { condition }: ListingFacts,
  { battery }: Machine,
  floors: BatteryFloors,
): Contradiction[] {
  if (condition === 'Fair' || battery === null || battery.value.health >= floors[condition]) return [];
  return [
    {
      field: 'Condition',
      listed: `${condition}: battery of at least ${floors[condition]} %`,
      measured: `${battery.value.health} %`,
    },
  ];
}

/** The conditions that a laptop's battery allows; all when its health is unknown. */
export function allowedConditions(
  { battery }: Machine,
  floors: BatteryFloors = standardBatteryFloors,
): (typeof conditions)[number][] {
  return conditions.filter(
    (condition) => condition === 'Fair' || battery === null || battery.value.health >= floors[condition],
  );
}

/**
 * Compares a listing with what the laptop reported. The operating system is left out, because a laptop can be measured
 * from a USB stick.
 */
export function findContradictions(
  listing: ListingFacts,
  machine: Machine,
  floors: BatteryFloors = standardBatteryFloors,
): Contradiction[] {
  return [
    ...compareMemory(listing, machine),
    ...compareStorage(listing, machine),
    ...compareScreen(listing, machine),
    ...compareProcessor(listing, machine),
    ...compareGraphics(listing, machine),
    ...compareCondition(listing, machine, floors),
  ];
}

/** Whether a listing counts as measured: the machine agrees with it, and no lock was found. */
export function isMeasured({ contradictions, machine }: Measurement): boolean {
  return contradictions.length === 0 && Object.values(machine.locks).every((state) => state !== 'locked');
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
