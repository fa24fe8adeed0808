import { createRandom } from './random-laptops.ts';

/** Brands, words and values of the loaded catalogue. */
const words = [
  'elitebook',
  'latitude',
  'travelmate',
  'intel',
  'elitbook',
  'g5',
  'latitude g3',
  '5120',
] as const;
const brands = ['HP', 'Dell', 'Acer'] as const;
const memories = [8, 16, 32] as const;
const conditions = ['Excellent', 'Good', 'Fair'] as const;
const orders = ['newest', 'price', '-price', 'saving'] as const;

/**
 * Returns paths of searches for 24 laptops with counts, of which no two are the same: a price in whole units, and, each in
 * about half of them, words, brand, memory, condition and order.
 */
export function searchPaths(count: number): string[] {
  const random = createRandom(7);
  const one = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)];
  return Array.from({ length: count }, (_, index) => {
    const query = new URLSearchParams({ limit: '24', max_price: String(400 + index) });
    const add = (name: string, value: string | number | undefined) => {
      if (random() < 0.5 && value !== undefined) query.append(name, String(value));
    };
    add('q', one(words));
    add('brand', one(brands));
    add('memory', one(memories));
    add('condition', one(conditions));
    add('sort', one(orders));
    return `/api/laptops?${query}`;
  });
}
