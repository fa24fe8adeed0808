import {
  graphicsKinds,
  operatingSystems,
  processorFamilies,
  processorGenerations,
} from '#contract/listings/fact-names.ts';
import { conditions } from '#contract/listings/laptop-schemas.ts';
import { levels } from '#contract/listings/level-names.ts';
import { CONFIGURATION_SEPARATOR, type LaptopRow } from '#server/listings/search/index/row.ts';

/** A seeded generator of numbers from 0 to below 1 (mulberry32), so that runs are comparable. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Picks an item. The first are more frequent, as with brands and places. */
function pick<Item>(random: () => number, items: readonly Item[]): Item {
  const item = items[Math.floor(random() ** 2 * items.length)];
  if (item === undefined) throw new Error('There is nothing to pick from.');
  return item;
}

const wordsOf = (text: string) => text.split(' ');

/** Brands with their families. */
const series = (
  [
    ['HP', 'EliteBook ProBook Pavilion ZBook Envy Spectre Omen Victus'],
    ['Dell', 'Latitude Inspiron XPS Precision Vostro Alienware'],
    ['Lenovo', 'ThinkPad IdeaPad ThinkBook Legion Yoga'],
    ['Apple', 'MacBook'],
    ['Acer', 'Aspire Swift TravelMate Nitro Predator'],
    ['Asus', 'VivoBook ZenBook ROG TUF ExpertBook'],
    ['MSI', 'Modern Katana Prestige Stealth'],
    ['Microsoft', 'Surface'],
    ['Samsung', 'Galaxy Chromebook'],
    ['Toshiba', 'Portégé Tecra Satellite'],
    ['Fujitsu', 'Lifebook Celsius'],
    ['Huawei', 'MateBook'],
  ] as const
).map(([brand, families]) => [brand, wordsOf(families)] as const);

const processors = Object.keys(processorFamilies);
const generations = Object.keys(processorGenerations);
const graphicsChips = Object.keys(graphicsKinds);
const systems = Object.keys(operatingSystems);
const memories = [8, 16, 4, 32, 12, 64, 24, 128, 6, 48];
const storages = [256, 512, 1024, 128, 2048, 64, 4096, 320];
const screens = [15.6, 14, 13.3, 17.3, 16, 12.5, 11.6];
const remarks = wordsOf('touchscreen refurbished business gaming silver black charger backlit étudiant');
const panels = wordsOf('IPS OLED TN matte glossy');
const memoryKinds = wordsOf('DDR4 LPDDR4X DDR5 LPDDR5');
const storageKinds = wordsOf('NVMe SSD HDD SATA M.2');
const syllables = wordsOf('al bra co do es fa gui lis mar no por ra san ti vil xa');

/** The number of places. */
const PLACES = 3_000;

/** Words of descriptions; the first are the most frequent. Some of all are written by one seller alone. */
const NOTE_VOCABULARY = 30_000;

/** Writes a description of 45 words, as sellers do: their frequencies follow Zipf's law. */
function createNotes(random: () => number): string {
  const words = Array.from({ length: 45 }, () => Math.floor(NOTE_VOCABULARY ** random()).toString(36));
  return words
    .map((word) => `w${word.replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))}x`)
    .join(' ');
}

/** Generates laptops with ascending numbers, with texts as sellers write them. */
export function* randomLaptops(count: number, seed = 1): Generator<LaptopRow> {
  const random = createRandom(seed);
  const upTo = (most: number) => Math.floor(random() * most);
  const one = <Item>(items: readonly Item[]) => pick(random, items);
  const places = Array.from({ length: PLACES }, () =>
    Array.from({ length: 2 + upTo(3) }, () => syllables[upTo(syllables.length)]).join(''),
  );
  for (let number = 1; number <= count; number += 1) {
    const [brand, families] = one(series);
    const isKnown = random() < 0.93;
    const processor = one(processors);
    const [memory, storage, screen] = [one(memories), one(storages), one(screens)];
    const graphics = one(graphicsChips);
    const system = one(systems);
    const originalCents = 30_000 + Math.floor(random() ** 2 * 4_000) * 100;
    const name = [
      ...[
        brand,
        one(families),
        `${one(['', 'X', 'T', 'E', 'G'])}${Math.floor(random() ** 2 * 90) * 10 + 100}`,
      ],
      ...(random() < 0.5 ? [`G${1 + upTo(10)}`] : []),
      ...(random() < 0.5 ? [processor.replaceAll('-', ' ')] : []),
      ...(random() < 0.4 ? [`${memory}GB`] : []),
      ...(random() < 0.3 ? [`${storage} GB SSD`] : []),
      ...(random() < 0.2 ? [`${screen}"`] : []),
      ...(random() < 0.8 ? [one(remarks)] : []),
      // An article number, of which few laptops have the same.
      ...(random() < 0.04 ? [upTo(36 ** 4).toString(36)] : []),
    ];
    const configuration = [
      `${processor.replaceAll('-', ' ')} ${upTo(12)}${one(['20U', '35H', '45G7', '65HQ', '750P'])}, ${one([4, 8, 6, 2])} cores, up to ${(3 + upTo(25) / 10).toFixed(1)} GHz`,
      `${graphics} ${100 + upTo(40) * 50}`,
      `${screen}" ${one(panels)}, ${one(['1920 × 1080', '2560 × 1600', '3840 × 2160'])}, ${200 + upTo(30) * 10} nits`,
      `${memory} GB ${one(memoryKinds)}, ${one([3200, 2666, 4267, 4800, 6400])} MHz`,
      `${storage} GB ${one(storageKinds)}`,
      `${40 + upTo(50)} Wh, ${50 + upTo(50)} % health`,
      system.replaceAll('-', ' '),
    ];
    yield {
      number,
      brand,
      condition: one(conditions),
      originalCents,
      priceCents: Math.floor(originalCents * (0.2 + random() * 0.7)),
      ...{ memory, storage, graphics, system },
      screen: isKnown ? screen : null,
      battery: random() < 0.8 ? 55 + upTo(46) : null,
      processor: isKnown ? processor : null,
      generation: isKnown ? one(generations) : null,
      verified: random() < 0.6,
      shipping: random() < 0.4,
      level: one(levels),
      place: one(places),
      name: name.join(' '),
      configuration: configuration.join(CONFIGURATION_SEPARATOR),
      notes: createNotes(random),
    };
  }
}
