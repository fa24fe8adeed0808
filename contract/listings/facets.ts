import * as z from 'zod/mini';
import { isOneLine, oneLineOnly } from '#contract/platform/scalars.ts';
import {
  GraphicsKind,
  graphicsKinds,
  OperatingSystem,
  operatingSystems,
  ProcessorFamily,
  ProcessorGeneration,
  processorFamilies,
  processorGenerations,
} from './fact-names.ts';
import { BrandId, conditions } from './laptop-schemas.ts';
import { levelNames } from './level-names.ts';
import { LevelName } from './levels.ts';
import { formatGigabytes } from './sizes.ts';

/** The maximum number of chosen values per filter. */
export const MAXIMUM_FILTER_VALUES = 50;

/** One value or several with the same name, as forms send checkboxes; without duplicates, in ascending order. */
function values(item: z.ZodMiniType<string | number>) {
  return z.pipe(
    z.pipe(
      z.pipe(
        // Optional in the type of the input.
        z._default(z.unknown(), []),
        z.transform((given: unknown) => (Array.isArray(given) ? given : [given])),
      ),
      z
        .array(z.unknown())
        .check(z.maxLength(MAXIMUM_FILTER_VALUES, { error: 'Too many values of a filter', abort: true })),
    ),
    z.pipe(
      z.array(item),
      z.transform((list: (string | number)[]) =>
        [...new Set(list)].sort((one, other) =>
          // Names of groups after numbers.
          typeof one === typeof other ? (one < other ? -1 : 1) : typeof one === 'number' ? -1 : 1,
        ),
      ),
    ),
  );
}

export const wholeNumber = (max: number, error: string) =>
  z.coerce.number({ error }).check(z.int({ error }), z.minimum(1, { error }), z.maximum(max, { error }));

export const oneLine = (max: number, ...first: z.core.$ZodCheck<string>[]) =>
  z
    .string({ error: 'This must be a text' })
    .check(
      ...first,
      z.trim(),
      z.maxLength(max, { error: `At most ${max} characters, please`, abort: true }),
      z.refine(isOneLine, { error: oneLineOnly }),
    );

/** A filter of which several values can be chosen: a laptop matches one of them. */
export interface Facet {
  /** The name of the filter, for display. */
  title: string;
  /** The chosen values, as a part of a query. */
  chosen: ReturnType<typeof values>;
  /**
   * The value under which a laptop is counted, or null.
   * @param fact what the function `searched_facts` of the database returns under the facet's name. Default: its text
   */
  valueFor?: (fact: string | number | true) => string | null;
  /** A value for display. */
  label: (value: string) => string;
  /** The order of the values for display; of a list, that of its values. Default: most laptops first. */
  order?: 'ascending' | 'descending' | readonly string[];
  /** The text by whose words the laptops with a value are found. Default: none. */
  words?: (value: string) => string;
  /** The maximum number of counted values beside the chosen ones: anybody can list a laptop with another value. Default: 100. */
  maximum?: number;
  /** Values that stand for several stored ones, by how they are written in a query. Counts of them include all of these. */
  groups?: Readonly<Record<string, FacetGroup>>;
}

/** A value that stands for several. */
export interface FacetGroup {
  /** For display. */
  label: string;
  /** Whether a stored value belongs to it. */
  accepts: (value: string) => boolean;
  /** Whether it is counted when it is not chosen, too. */
  isListed: boolean;
}

const asWritten = (value: string) => value;
const gigabytes = (value: string) => formatGigabytes(Number(value));

/** The display of values that have names, in the order of the names. */
const named = (names: Readonly<Record<string, string>>) => ({
  label: (value: string) => names[value] ?? value,
  order: Object.keys(names),
});

/** The same with words by which laptops are found. */
const searched = (names: Readonly<Record<string, string>>) => ({
  ...named(names),
  words: named(names).label,
});

/** The least capacities of a battery that are filtered by, in percent of the one when new; the largest first. */
const batteryFloors = [90, 80, 70];

const batteryError = `Batteries are filtered by at least ${batteryFloors.toReversed().join(', ')} percent`;

/** A group of all numbers from a least one on. */
const atLeast = (least: number, label: string, isListed: boolean): FacetGroup => ({
  label,
  accepts: (value) => Number(value) >= least,
  isListed,
});

const memoryGroups = {
  '8-or-more': atLeast(8, '8 GB or more', false),
  '16-or-more': atLeast(16, '16 GB or more', false),
  '32-or-more': atLeast(32, '32 GB or more', false),
};
const screenGroups = {
  '14-or-less': {
    label: '14.9″ or smaller',
    accepts: (value: string) => Number(value) <= 14,
    isListed: false,
  },
};
const graphicsGroups = {
  dedicated: {
    label: 'Dedicated graphics',
    accepts: (value: string) => value !== 'integrated',
    isListed: true,
  },
};

/**
 * A value of a facet, or the name of one of its groups.
 * @param item with the given error, which a union reports instead of its own for a number out of bounds
 */
const orGroup = (
  groups: Readonly<Record<string, FacetGroup>>,
  item: (error: string) => z.ZodMiniType<string | number>,
  error: string,
) => z.union([z.enum(Object.keys(groups)), item(error)], { error });

const table = {
  brand: { title: 'Brand', chosen: values(BrandId), label: asWritten, words: asWritten },
  condition: {
    title: 'Condition',
    chosen: values(z.enum(conditions, { error: 'Unknown condition' })),
    label: asWritten,
    order: conditions,
  },
  level: {
    title: 'Checked',
    chosen: values(LevelName),
    ...named(levelNames),
  },
  memory: {
    title: 'Memory',
    chosen: values(
      orGroup(memoryGroups, (error) => wholeNumber(1024, error), 'Memory is in gigabytes, 1 to 1024'),
    ),
    label: gigabytes,
    order: 'ascending',
    words: gigabytes,
    groups: memoryGroups,
  },
  storage: {
    title: 'Storage',
    chosen: values(wholeNumber(65_536, 'Storage is in gigabytes, 1 to 65536')),
    label: gigabytes,
    order: 'ascending',
    words: gigabytes,
  },
  screen: {
    title: 'Screen size',
    chosen: values(
      orGroup(screenGroups, (error) => wholeNumber(17, error), 'Screen sizes are 12 to 17 inches'),
    ),
    valueFor: (inches) => String(Math.min(17, Math.max(12, Math.floor(Number(inches))))),
    label: (value) =>
      value === '12' ? '12.9″ or smaller' : value === '17' ? '17″ or larger' : `${value}–${value}.9″`,
    order: 'ascending',
    words: (value) => `${value}in`,
    groups: screenGroups,
  },
  battery: {
    title: 'Battery',
    chosen: values(
      wholeNumber(100, batteryError).check(
        z.refine((percent) => batteryFloors.includes(percent), { error: batteryError }),
      ),
    ),
    valueFor: (percent) => batteryFloors.find((floor) => Number(percent) >= floor)?.toString() ?? null,
    label: asWritten,
    order: 'descending',
    groups: Object.fromEntries(
      batteryFloors.map((floor) => [floor, atLeast(floor, `Battery ${floor} % or more`, true)]),
    ),
  },
  processor: { title: 'Processor', chosen: values(ProcessorFamily), ...searched(processorFamilies) },
  generation: {
    title: 'Processor generation',
    chosen: values(ProcessorGeneration),
    ...searched(processorGenerations),
  },
  graphics: {
    title: 'Graphics',
    chosen: values(orGroup(graphicsGroups, () => GraphicsKind, 'Unknown kind of graphics')),
    ...searched(graphicsKinds),
    groups: graphicsGroups,
  },
  system: { title: 'Operating system', chosen: values(OperatingSystem), ...searched(operatingSystems) },
  place: {
    title: 'Place',
    chosen: values(oneLine(120).check(z.minLength(1, { error: 'A place is not empty' }))),
    label: asWritten,
    words: asWritten,
    maximum: 20,
  },
  shipping: {
    title: 'Delivery',
    chosen: values(z.literal('free', { error: 'shipping is free or missing' })),
    valueFor: () => 'free',
    ...named({ free: 'Ships free' }),
  },
  verified: {
    title: 'Seller',
    chosen: values(z.literal('yes', { error: 'verified is yes or missing' })),
    valueFor: () => 'yes',
    ...named({ yes: 'Verified sellers only' }),
  },
} satisfies Record<string, Facet>;

export type FacetName = keyof typeof table;

/**
 * All facets, in display order. The schema of queries, saved searches, the columns of the index, counts, labels, URLs and the
 * filters of the page follow from them. A new one is added here and, with its fact, to `searched_facts` in the database.
 */
export const facets: Readonly<Record<FacetName, Facet>> = table;

/** A chosen value for display. */
export const facetLabel = (name: FacetName, value: string): string =>
  facets[name].groups?.[value]?.label ?? facets[name].label(value);

export const isFacet = (name: string): name is FacetName => Object.hasOwn(facets, name);

export const facetNames: readonly FacetName[] = Object.keys(facets).filter(isFacet);

const isComplete = <Value>(record: Partial<Record<FacetName, Value>>): record is Record<FacetName, Value> =>
  facetNames.every((name) => Object.hasOwn(record, name));

/** A value for each facet. */
export function byFacet<Value>(create: (name: FacetName) => Value): Record<FacetName, Value> {
  const record: Partial<Record<FacetName, Value>> = {};
  for (const name of facetNames) record[name] = create(name);
  if (!isComplete(record)) throw new Error('A facet has no value.');
  return record;
}

/** The value under which a laptop is counted in a facet, or null. @param fact null or missing when it is unknown */
export function facetValue(
  name: FacetName,
  fact: string | number | boolean | null | undefined,
): string | null {
  if (fact === null || fact === undefined || fact === false) return null;
  const { valueFor = String } = facets[name];
  return valueFor(fact);
}
