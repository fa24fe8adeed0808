import type { Contradiction, Machine, Measurement } from '#contract/inspections.ts';
import { conditions } from '#contract/laptop-schemas.ts';
import { compareConfiguration, type ListedConfiguration } from '#contract/measured-configuration.ts';

/** The parts of a listing that a measurement is compared with. */
export interface ListingFacts extends ListedConfiguration {
  condition: 'Excellent' | 'Good' | 'Fair';
}

/** The least battery health in percent by condition; a fair laptop may have any. */
export interface BatteryFloors {
  Excellent: number;
  Good: number;
}
export const standardBatteryFloors: BatteryFloors = { Excellent: 85, Good: 80 };

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
  return [...compareConfiguration(listing, machine), ...compareCondition(listing, machine, floors)];
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
