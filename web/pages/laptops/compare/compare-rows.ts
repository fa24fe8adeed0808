import { graphicsKinds, operatingSystems, processorFamilies } from '#contract/facts.ts';
import {
  type ConfigurationField,
  configurationFields,
  type LaptopDetails,
} from '#contract/laptop-schemas.ts';
import { levelNames } from '#contract/level-names.ts';
import { formatDollars } from '#contract/money.ts';
import { savedDollars } from '../../../formats/prices.tsx';
import { formatGigabytes } from '../../../laptops/facts-line.ts';

/** A property of the compared laptops. */
export interface CompareRow {
  name: string;
  /** In the order of the laptops; empty when unknown. */
  values: string[];
  /** Whether the known values differ. */
  differs: boolean;
}

/** What is known of a configuration field: the seller's text, else the fact that was read from the description. */
function configured({ description, facts }: LaptopDetails, field: ConfigurationField): string {
  const text = typeof description === 'string' ? undefined : description[field];
  if (text !== undefined && text !== '') return text;
  const { processor, graphics, system, memory, storage, screen } = facts;
  const read: Partial<Record<ConfigurationField, string | undefined>> = {
    Processor: processor && processorFamilies[processor],
    Graphics: graphics && graphicsKinds[graphics],
    Operating: system && operatingSystems[system],
    Memory: memory === undefined ? undefined : formatGigabytes(memory),
    Storage: storage === undefined ? undefined : formatGigabytes(storage),
    Display: screen === undefined ? undefined : `${screen}″`,
  };
  return read[field] ?? '';
}

function saving({ original_price, resale_price }: LaptopDetails): string {
  const saved = savedDollars(original_price, resale_price);
  return saved === null ? '' : formatDollars(saved);
}

const properties: readonly [name: string, read: (laptop: LaptopDetails) => string][] = [
  ['Resale price', ({ resale_price }) => formatDollars(resale_price)],
  ['Original price', ({ original_price }) => formatDollars(original_price)],
  ['Saving', saving],
  ['Condition', ({ condition }) => condition],
  ['Checked', ({ level }) => levelNames[level]],
  ['Use time', ({ use_time }) => use_time],
  ...configurationFields.map((field): [string, (laptop: LaptopDetails) => string] => [
    field === 'Operating' ? 'Operating system' : field,
    (laptop) => configured(laptop, field),
  ]),
  [
    'Seller',
    ({ sellers_name, sellerVerified }) =>
      `${sellers_name}${sellerVerified ? ', verified' : ', not verified'}`,
  ],
  ['Place', ({ location }) => location],
  ['Availability', ({ paid }) => (paid ? 'Sold' : 'For sale')],
];

/** The rows of a comparison. A property that is unknown for all laptops is left out. */
export function compareRows(laptops: readonly LaptopDetails[]): CompareRow[] {
  return properties
    .map(([name, read]) => {
      const values = laptops.map(read);
      const known = new Set(values.filter((value) => value !== '').map((value) => value.toLowerCase()));
      return { name, values, differs: known.size > 1 };
    })
    .filter(({ values }) => values.some((value) => value !== ''));
}
