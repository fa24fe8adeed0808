import { type CheckResult, checkLabels } from '#contract/certification/browser-checks.ts';
import type { Claim, ClaimSection, ClaimState } from '#contract/certification/certificates.ts';
import { type Checklist, type InspectionKind, inspectionClaims } from '#contract/certification/checklist.ts';
import {
  type ComparedFact,
  comparedFacts,
  type FactComparison,
  notComparedReasons,
} from '#contract/certification/inspections.ts';
import {
  type DeviceLockState,
  deviceLockLabels,
  deviceLockNames,
  type Machine,
  measuredValues,
  sources,
} from '#contract/certification/machine.ts';
import {
  compareFacts,
  factComparisons,
  type ListedConfiguration,
} from '#contract/certification/measured-configuration.ts';
import { type ConfigurationField, configurationFields } from '#contract/listings/catalogue.ts';

/** The parts of a listing that a certificate repeats. The seller's name, contact and free text stay out. */
export interface CertifiedListing extends ListedConfiguration {
  name: string;
  brand: string;
  condition: string;
}

/** The parts of an approval that a certificate repeats. */
export interface CertifiedInspection {
  kind: InspectionKind;
  grade: string | null;
  checklist: Checklist;
}

const claim = (
  section: ClaimSection,
  name: string,
  state: ClaimState,
  value: string | null = null,
  source: string | null = null,
): Claim => ({ section, name, state, value, source });

const reported = (section: ClaimSection, name: string, value: string | null, source: string | null): Claim =>
  value === null ? claim(section, name, 'unknown') : claim(section, name, 'measured', value, source);

/** The facts that are compared in each configuration field. The battery has a section of its own. */
const factsOfField: Readonly<Partial<Record<ConfigurationField, readonly ComparedFact[]>>> = {
  Processor: ['processor', 'generation'],
  Memory: ['memory'],
  Storage: ['storage'],
  Display: ['screen'],
  Graphics: ['graphics'],
};

/** Whose word a field of the listing is: the seller's, as far as the measurement does not confirm it. */
function sourceOfField(field: ConfigurationField, comparisons: readonly FactComparison[]): string | null {
  const compared = comparisons.filter(({ fact }) => factsOfField[field]?.includes(fact));
  const measuredNames = compared.flatMap(({ fact, state }) =>
    state === 'measured' ? [comparedFacts[fact].toLowerCase()] : [],
  );
  const notCompared = compared.flatMap((each) =>
    each.state === 'not_compared' && each.reason !== 'not_listed'
      ? [`${comparedFacts[each.fact].toLowerCase()}, because ${notComparedReasons[each.reason]}`]
      : [],
  );
  const parts = [
    ...(measuredNames.length === 0 ? [] : [`measured: ${measuredNames.join(', ')}`]),
    ...(notCompared.length === 0 ? [] : [`not compared: ${notCompared.join('; ')}`]),
  ];
  return parts.length === 0 ? null : ['the seller', ...parts].join('; ');
}

function listingClaims(listing: CertifiedListing, machine: Machine): Claim[] {
  const { name, brand, condition, description } = listing;
  const fields = typeof description === 'string' ? {} : description;
  const comparisons = factComparisons(compareFacts(listing, machine));
  return [
    claim('listing', 'Name', 'stated', name),
    claim('listing', 'Brand', 'stated', brand),
    claim('listing', 'Condition', 'stated', condition),
    ...configurationFields.flatMap((field) => {
      const text = fields[field] ?? '';
      // What was read takes the place of the seller's percentage, here as on the laptop's page.
      const isReplaced = field === 'Battery' && machine.battery !== null;
      return text === '' || isReplaced
        ? []
        : [claim('listing', field, 'stated', text, sourceOfField(field, comparisons))];
    }),
  ];
}

/** The battery has a section of its own, and the system that ran is not the laptop's. */
const leftOut = ['Battery', 'Ran during the measurement'];

const machineClaims = (machine: Machine): Claim[] =>
  measuredValues(machine)
    .filter(({ label }) => !leftOut.includes(label))
    .map(({ label, value, source }) => reported('machine', label, value, source));

const wattHours = (milliwattHours: number | null | undefined) =>
  milliwattHours === null || milliwattHours === undefined ? null : `${(milliwattHours / 1000).toFixed(1)} Wh`;

function batteryClaims({ battery }: Machine): Claim[] {
  const { health, fullMwh, designMwh, cycles } = battery?.value ?? {};
  const line = (name: string, value: string | null) => reported('battery', name, value, sources.battery);
  return [
    line('Health', health === undefined ? null : `${health} % of its capacity when new`),
    line('Capacity', wattHours(fullMwh)),
    line('Capacity when new', wattHours(designMwh)),
    line('Charge cycles', cycles === undefined || cycles === null ? null : `${cycles}`),
  ];
}

const lockStates = { locked: 'found', not_found: 'not_found', unknown: 'unknown' } as const satisfies Record<
  DeviceLockState,
  ClaimState
>;

const lockClaims = ({ locks }: Machine): Claim[] =>
  deviceLockNames.map((lock) => claim('locks', deviceLockLabels[lock], lockStates[locks[lock]]));

const testClaims = (results: readonly CheckResult[]) =>
  results.map(({ name, outcome, note }) => claim('tests', checkLabels[name], outcome, note));

/** The admin's grade, and what the admin looked at, in the order of the inspection queue. */
function inspectionSection(inspection: CertifiedInspection | null, results: readonly CheckResult[]): Claim[] {
  if (inspection === null) return [];
  const passed = results.filter(({ outcome }) => outcome === 'passed').map(({ name }) => name);
  return [
    ...(inspection.grade === null ? [] : [claim('inspection', 'Grade', 'stated', inspection.grade)]),
    ...inspectionClaims(inspection, passed),
  ];
}

/**
 * Everything that a certificate says, in words; what could not be read is a claim too.
 * @param results of the tests in the laptop's browser; empty without a check
 * @param inspection the approval while the laptop is inspected; null otherwise
 */
export function claimsOf(
  listing: CertifiedListing,
  machine: Machine,
  results: readonly CheckResult[],
  inspection: CertifiedInspection | null,
): Claim[] {
  return [
    ...listingClaims(listing, machine),
    ...machineClaims(machine),
    ...batteryClaims(machine),
    ...lockClaims(machine),
    ...testClaims(results),
    ...inspectionSection(inspection, results),
  ];
}
