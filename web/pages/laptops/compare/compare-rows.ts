import { href } from 'react-router';
import {
  type ConfigurationField,
  conditions,
  configurationFields,
  type LaptopDetails,
} from '#contract/listings/laptop-schemas.ts';
import { levelNames, levels } from '#contract/listings/level-names.ts';
import { formatAmount } from '#contract/platform/money.ts';
import { savedAmount } from '../../../formats/prices.ts';
import { ratedName } from '../../../formats/rating.ts';
import { displayedFacts, factOf } from '../../../laptops/displayed-facts.ts';

/** A property of the compared laptops. */
export interface CompareRow {
  name: string;
  /** In the order of the laptops; empty when unknown. */
  values: string[];
  /** In the same order: what a laptop is best at, such as `lowest price`, or null. */
  best: (string | null)[];
  /** Whether the known values differ. */
  differs: boolean;
  /** The pages to which the values lead, in the same order. */
  paths?: (string | undefined)[];
}

/** What is known of a configuration field: a measured battery, the seller's text, else the fact that was read from the description. */
function configured({ description, facts }: LaptopDetails, field: ConfigurationField): string {
  const text = typeof description === 'string' ? '' : (description[field] ?? '');
  if (field === 'Battery' && facts.batteryMeasured) return `${facts.battery} %, measured`;
  if (text !== '') return text;
  if (field === 'Battery') return facts.battery === undefined ? '' : `${facts.battery} %`;
  return displayedFacts(facts).find(({ name }) => name === factOf(field))?.text ?? '';
}

function saving({ original_price, resale_price }: LaptopDetails): string {
  const saved = savedAmount(original_price, resale_price);
  return saved === null ? '' : formatAmount(saved);
}

interface Property {
  name: string;
  read: (laptop: LaptopDetails) => string;
  /** What the best values are called, and how good a value is; null when unknown. */
  best?: { word: string; rank: (laptop: LaptopDetails) => number | null };
  /** The page to which the value leads, if it does. */
  pathOf?: (laptop: LaptopDetails) => string | undefined;
}

const fieldRanks: Partial<Record<ConfigurationField, Property['best']>> = {
  Memory: { word: 'most memory', rank: ({ facts }) => facts.memory ?? null },
  Storage: { word: 'most storage', rank: ({ facts }) => facts.storage ?? null },
  Battery: { word: 'best battery', rank: ({ facts }) => facts.battery ?? null },
};

const properties: readonly Property[] = [
  {
    name: 'Resale price',
    read: ({ resale_price }) => formatAmount(resale_price),
    best: { word: 'lowest price', rank: ({ resale_price }) => -resale_price },
  },
  { name: 'Original price', read: ({ original_price }) => formatAmount(original_price) },
  {
    name: 'Saving',
    read: saving,
    best: {
      word: 'highest saving',
      rank: ({ original_price, resale_price }) => savedAmount(original_price, resale_price),
    },
  },
  {
    name: 'Condition',
    read: ({ condition }) => condition,
    best: { word: 'best condition', rank: ({ condition }) => -conditions.indexOf(condition) },
  },
  {
    name: 'Checked',
    read: ({ level }) => levelNames[level],
    best: { word: 'most thorough check', rank: ({ level }) => levels.indexOf(level) },
  },
  { name: 'Use time', read: ({ use_time }) => use_time },
  ...configurationFields.map((field): Property => {
    const best = fieldRanks[field];
    return {
      name: field === 'Operating' ? 'Operating system' : field,
      read: (laptop) => configured(laptop, field),
      ...(best !== undefined && { best }),
    };
  }),
  {
    name: 'Seller',
    read: ({ sellers_name, seller_rating, sellerVerified, sellerHasEnded }) =>
      sellerHasEnded
        ? `${sellers_name}, has left the shop`
        : `${ratedName(sellers_name, seller_rating)}${sellerVerified ? ', verified' : ', not verified'}`,
    pathOf: ({ seller_id, sellerHasEnded }) =>
      sellerHasEnded ? undefined : href('/seller/:id', { id: seller_id }),
  },
  { name: 'Place', read: ({ location }) => location },
  { name: 'Availability', read: ({ paid }) => (paid ? 'Sold' : 'For sale') },
];

/** For each laptop, what it is best at; null when it is not, or when all that are known are as good. */
function bestOf(laptops: readonly LaptopDetails[], best: Property['best']): (string | null)[] {
  const ranks = laptops.map((laptop) => best?.rank(laptop) ?? null);
  const known = ranks.filter((rank) => rank !== null);
  const highest = Math.max(...known);
  const isBest = best !== undefined && known.some((rank) => rank < highest);
  return ranks.map((rank) => (isBest && rank === highest ? best.word : null));
}

/** The rows of a comparison, those with the same values last. A property that is unknown for all laptops is left out. */
export function compareRows(laptops: readonly LaptopDetails[]): CompareRow[] {
  const rows = properties
    .map(({ name, read, best, pathOf }) => {
      const values = laptops.map(read);
      const known = new Set(values.filter((value) => value !== '').map((value) => value.toLowerCase()));
      return {
        name,
        values,
        best: bestOf(laptops, best),
        differs: known.size > 1,
        ...(pathOf !== undefined && { paths: laptops.map(pathOf) }),
      };
    })
    .filter(({ values }) => values.some((value) => value !== ''));
  return [...rows.filter(({ differs }) => differs), ...rows.filter(({ differs }) => !differs)];
}
