import type { MeasuredSystem } from '#contract/certification/inspections.ts';
import type { Machine } from '#contract/certification/machine.ts';
import {
  compareFacts,
  contradictionsOf,
  factComparisons,
  findMissing,
  measuredTexts,
} from '#contract/certification/measured-configuration.ts';
import {
  type ConfigurationField,
  type conditions,
  configurationFields,
} from '#contract/listings/catalogue.ts';
import { readFacts } from '#contract/listings/facts.ts';
import { lockLines } from '../inspections/measured-values.ts';
import type { Draft } from './form-values.ts';

/** A measurement of the laptop in the form. */
export interface FormMeasurement {
  /** ISO 8601 in UTC. */
  measuredAt: string;
  measuredWith: MeasuredSystem;
  machine: Machine;
  /** The conditions that its battery allows. */
  conditions: readonly (typeof conditions)[number][];
}

/** The values that are compared with the measurement. */
export type ComparedValues = Pick<Draft, ConfigurationField | 'condition'>;

/** A configuration field that does not say what was measured. */
export interface Difference {
  measured: string;
  /** What the field can say instead; null when only a bound was measured, which the typed value contradicts. */
  text: string | null;
  /** The listing would not count as measured. */
  isContradiction: boolean;
  /** Nothing is typed. */
  isEmpty: boolean;
}

/** Whether two texts of a field say the same. */
function saysTheSame(field: ConfigurationField, typed: string, measured: string): boolean {
  if (typed === measured) return true;
  const facts = JSON.stringify(readFacts({ [field]: typed }));
  return facts !== '{}' && facts === JSON.stringify(readFacts({ [field]: measured }));
}

function compareValues(values: ComparedValues, machine: Machine): ReturnType<typeof compareFacts> {
  const description = Object.fromEntries(configurationFields.map((field) => [field, values[field]]));
  return compareFacts({ facts: readFacts(description), description }, machine);
}

/** The configuration fields whose text differs from what was measured. */
export function findDifferences(
  values: ComparedValues,
  { machine }: FormMeasurement,
): ReadonlyMap<ConfigurationField, Difference> {
  const texts = measuredTexts(machine);
  const contradictions = new Map(
    contradictionsOf(compareValues(values, machine)).map(({ field, measured }) => [field, measured]),
  );
  const differences = new Map<ConfigurationField, Difference>();
  for (const field of configurationFields) {
    const measured = texts[field] ?? contradictions.get(field);
    const typed = values[field].trim();
    const isContradiction = contradictions.has(field);
    if (measured === undefined || (!isContradiction && saysTheSame(field, typed, measured))) continue;
    differences.set(field, {
      measured,
      text: texts[field] ?? null,
      isContradiction,
      isEmpty: typed === '',
    });
  }
  return differences;
}

/** Whether a value may be of another system than the installed one: Linux may have been started from a USB stick. */
export const mayBeFromStick = (field: ConfigurationField, { measuredWith }: FormMeasurement): boolean =>
  field === 'Operating' && measuredWith === 'linux';

/** The measured texts of the fields in which nothing is typed. */
export function textsForEmptyFields(
  values: ComparedValues,
  measurement: FormMeasurement,
): (readonly [ConfigurationField, string])[] {
  return [...findDifferences(values, measurement)].flatMap(([field, { text, isEmpty }]) =>
    isEmpty && text !== null && !mayBeFromStick(field, measurement) ? [[field, text] as const] : [],
  );
}

/** Why the condition contradicts the measured battery; undefined when it does not. */
export function conditionProblem(
  { condition }: Pick<Draft, 'condition'>,
  { conditions: allowed, machine: { battery } }: FormMeasurement,
): string | undefined {
  if (battery === null || allowed.includes(condition)) return undefined;
  return `${condition} said, but the battery measured ${battery.value.health} % of its capacity when new. It allows ${allowed.join(' or ')}.`;
}

/** Why a listing with these values does not count as measured, in sentences; empty when it does. */
export function reasonsAgainstMeasured(values: ComparedValues, measurement: FormMeasurement): string[] {
  const contradictions = [...findDifferences(values, measurement)].flatMap(
    ([field, { measured, isContradiction }]) =>
      isContradiction ? [`${field}: ${values[field].trim()} said, ${measured} measured.`] : [],
  );
  const condition = conditionProblem(values, measurement);
  const locks = lockLines(measurement.machine)
    .filter(({ state }) => state === 'locked')
    .map(({ label, release }) => `A lock was found: ${label}. ${release} Then measure again.`);
  const { machine } = measurement;
  return [
    ...findMissing(factComparisons(compareValues(values, machine)), machine),
    ...contradictions,
    ...(condition === undefined ? [] : [`Condition: ${condition}`]),
    ...locks,
  ];
}
