import type { OperatingSystem, ProcessorFamily, ProcessorGeneration } from '#contract/listings/facts.ts';
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
function pick<Item>(random: () => number, items: readonly [Item, ...Item[]]): Item {
  return items[Math.floor(random() ** 2 * items.length)] ?? items[0];
}

const evenly = <Item>(random: () => number, items: readonly [Item, ...Item[]]): Item =>
  items[Math.floor(random() * items.length)] ?? items[0];

interface Series {
  brand: string;
  families: readonly [string, ...string[]];
  processors: readonly [Processor, ...Processor[]];
}

interface Processor {
  family: ProcessorFamily;
  /** How sellers write it. */
  text: string;
  generations: readonly [ProcessorGeneration, ...ProcessorGeneration[]];
}

const core: Processor['generations'] = [
  'intel-8',
  'intel-10',
  'intel-11',
  'intel-12',
  'intel-7',
  'intel-6',
  'intel-9',
  'intel-13',
  'intel-5',
  'intel-4',
  'intel-3',
  'intel-2',
  'intel-14',
];
const ryzen: Processor['generations'] = [
  'ryzen-5000',
  'ryzen-4000',
  'ryzen-3000',
  'ryzen-7000',
  'ryzen-6000',
  'ryzen-2000',
  'ryzen-8000',
];
const ultra: Processor['generations'] = ['intel-series-1', 'intel-series-2'];

const intel: Series['processors'] = [
  { family: 'intel-core-i5', text: 'i5', generations: core },
  { family: 'intel-core-i7', text: 'i7', generations: core },
  { family: 'amd-ryzen-5', text: 'Ryzen 5', generations: ryzen },
  { family: 'intel-core-i3', text: 'i3', generations: core },
  { family: 'amd-ryzen-7', text: 'Ryzen 7', generations: ryzen },
  { family: 'intel-entry', text: 'Celeron', generations: ['intel-8'] },
  { family: 'intel-core-ultra-5', text: 'Ultra 5', generations: ultra },
  { family: 'intel-core-ultra-7', text: 'Ultra 7', generations: ultra },
  { family: 'intel-core-i9', text: 'i9', generations: core },
  { family: 'amd-ryzen-3', text: 'Ryzen 3', generations: ryzen },
  { family: 'intel-xeon', text: 'Xeon', generations: ['intel-9'] },
  { family: 'amd-ryzen-9', text: 'Ryzen 9', generations: ryzen },
  { family: 'snapdragon', text: 'Snapdragon X', generations: ['intel-series-1'] },
  { family: 'amd-ryzen-ai', text: 'Ryzen AI', generations: ['ryzen-300'] },
];
const apple: Series['processors'] = [
  { family: 'apple', text: 'M1', generations: ['apple-1', 'apple-2', 'apple-3', 'apple-4'] },
  { family: 'intel-core-i5', text: 'i5', generations: core },
];

const series: readonly [Series, ...Series[]] = [
  {
    brand: 'HP',
    families: ['EliteBook', 'ProBook', 'Pavilion', 'ZBook', 'Envy', 'Spectre', 'Omen', 'Victus'],
    processors: intel,
  },
  {
    brand: 'Dell',
    families: ['Latitude', 'Inspiron', 'XPS', 'Precision', 'Vostro', 'Alienware'],
    processors: intel,
  },
  { brand: 'Lenovo', families: ['ThinkPad', 'IdeaPad', 'ThinkBook', 'Legion', 'Yoga'], processors: intel },
  { brand: 'Apple', families: ['MacBook Air', 'MacBook Pro', 'MacBook'], processors: apple },
  { brand: 'Acer', families: ['Aspire', 'Swift', 'TravelMate', 'Nitro', 'Predator'], processors: intel },
  {
    brand: 'Asus',
    families: ['VivoBook', 'ZenBook', 'ROG Strix', 'TUF Gaming', 'ExpertBook'],
    processors: intel,
  },
  { brand: 'MSI', families: ['Modern', 'Katana', 'Prestige', 'Stealth'], processors: intel },
  { brand: 'Microsoft', families: ['Surface Laptop', 'Surface Pro', 'Surface Book'], processors: intel },
  { brand: 'Samsung', families: ['Galaxy Book', 'Chromebook'], processors: intel },
  { brand: 'Toshiba', families: ['Portégé', 'Tecra', 'Satellite'], processors: intel },
  { brand: 'Fujitsu', families: ['Lifebook', 'Celsius'], processors: intel },
  { brand: 'Huawei', families: ['MateBook'], processors: intel },
  { brand: 'LG', families: ['Gram'], processors: intel },
  { brand: 'Razer', families: ['Blade'], processors: intel },
  { brand: 'Panasonic', families: ['Toughbook'], processors: intel },
  { brand: 'Gigabyte', families: ['Aorus', 'Aero'], processors: intel },
];

const memories: readonly [number, ...number[]] = [8, 16, 4, 32, 12, 64, 24, 128, 6, 48];
const storages: readonly [number, ...number[]] = [256, 512, 1024, 128, 2048, 64, 4096, 320];
const screens: readonly [number, ...number[]] = [15.6, 14, 13.3, 17.3, 16, 12.5, 11.6];
const windows = [
  'windows-11',
  'windows-10',
  'linux',
  'windows-older',
  'none',
  'chromeos',
] as const satisfies readonly OperatingSystem[];
const graphicsKinds = ['integrated', 'geforce', 'radeon', 'nvidia-workstation', 'arc'] as const;
const remarks: readonly [string, ...string[]] = [
  '',
  '',
  'touchscreen',
  'like new',
  'with charger',
  'refurbished',
  'backlit keyboard',
  'new battery',
  'business',
  'gaming',
  'silver',
  'black',
  'for students',
  'très bon état',
  'muy buen estado',
];
const syllables: readonly [string, ...string[]] = [
  'al',
  'bra',
  'co',
  'do',
  'es',
  'fa',
  'gui',
  'lis',
  'mar',
  'no',
  'por',
  'ra',
  'san',
  'ti',
  'vil',
  'xa',
];

/** The number of places. */
const PLACES = 3_000;

function createPlaces(random: () => number): [string, ...string[]] {
  const place = () => {
    const name = Array.from({ length: 2 + Math.floor(random() * 3) }, () => evenly(random, syllables)).join(
      '',
    );
    return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  };
  return [place(), ...Array.from({ length: PLACES - 1 }, place)];
}

function createName(
  random: () => number,
  brand: string,
  parts: Omit<LaptopRow, 'name' | 'configuration' | 'notes'>,
  chip: string,
): string {
  const family = pick(random, (series.find((other) => other.brand === brand) ?? series[0]).families);
  const model = `${evenly(random, ['', 'X', 'T', 'E', 'G'])}${Math.floor(random() ** 2 * 90) * 10 + 100}`;
  const edition = `${evenly(random, ['G', 'Gen ', 'v', 's'])}${1 + Math.floor(random() * 10)}`;
  const words = [brand, family, model];
  if (random() < 0.5) words.push(edition);
  if (random() < 0.5) words.push(chip);
  if (random() < 0.4) words.push(`${parts.memory}GB`);
  if (random() < 0.3) words.push(`${parts.storage} GB SSD`);
  if (random() < 0.2) words.push(`${parts.screen}"`);
  words.push(pick(random, remarks));
  // An article number, of which few laptops have the same.
  if (random() < 0.04) words.push(Math.floor(random() * 36 ** 4).toString(36));
  return words.filter((word) => word !== '').join(' ');
}

const graphicsTexts = {
  integrated: ['Intel Iris Xe Graphics', 'Intel UHD Graphics 620', 'AMD Radeon Graphics'],
  geforce: ['NVIDIA GeForce RTX 3060 Laptop, 6 GB', 'NVIDIA GeForce MX450', 'NVIDIA GeForce GTX 1650'],
  radeon: ['AMD Radeon RX 6600M'],
  'nvidia-workstation': ['NVIDIA RTX A2000', 'NVIDIA Quadro T1000'],
  arc: ['Intel Arc A370M'],
} as const;
const systemTexts = {
  'windows-11': 'Windows 11 Pro',
  'windows-10': 'Windows 10 Home',
  'windows-older': 'Windows 8.1',
  linux: 'Ubuntu 24.04 LTS',
  none: 'No system',
  chromeos: 'ChromeOS',
  macos: 'macOS Sonoma 14',
} as const;

/** Writes the configuration as sellers do. */
function createConfiguration(
  random: () => number,
  parts: Omit<LaptopRow, 'name' | 'configuration' | 'notes' | 'graphics' | 'system'>,
  { chip, graphics, system }: { chip: string; graphics: string; system: string },
): string {
  const { memory, storage, screen, battery } = parts;
  const model = `${5 + Math.floor(random() ** 2 * 10)}${evenly(random, ['20', '35', '45', '65', '300', '750'])}`;
  const cores = `${[4, 8, 6, 2, 10, 14][Number(model) % 6]} cores, up to ${(3 + (Number(model) % 25) / 10).toFixed(1)} GHz`;
  return [
    `${chip}-${model}${evenly(random, ['U', 'H', 'G7', 'HQ', 'P'])}, ${cores}`,
    graphics,
    screen === null
      ? ''
      : `${screen}" ${pick(random, ['IPS', 'IPS touch', 'OLED', 'TN'])}, ${pick(random, ['1920 × 1080', '2560 × 1600', '3840 × 2160', '1366 × 768'])}, ${200 + Math.floor(random() * 30) * 10} nits, ${pick(random, ['matte', 'glossy'])}`,
    `${memory} GB ${pick(random, ['DDR4', 'LPDDR4X', 'DDR5', 'LPDDR5'])}, ${pick(random, [3200, 2666, 4267, 4800, 6400])} MHz`,
    `${storage} GB ${pick(random, ['NVMe SSD', 'SSD', 'HDD', 'M.2 NVMe SSD, one slot free', 'SATA SSD'])}`,
    battery === null ? '' : `${40 + Math.floor(random() * 50)} Wh, ${battery} % health`,
    system,
  ]
    .filter((text) => text !== '')
    .join(CONFIGURATION_SEPARATOR);
}

/** Words of descriptions; the first are the most frequent. Some of all are written by one seller alone. */
const NOTE_VOCABULARY = 30_000;

/** Writes a description of 45 words, as sellers do: their frequencies follow Zipf's law. */
function createNotes(random: () => number): string {
  const words = Array.from({ length: 45 }, () => Math.floor(NOTE_VOCABULARY ** random()).toString(36));
  return words
    .map((word) => `w${word.replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))}x`)
    .join(' ');
}

/** Generates laptops with ascending numbers. The values depend on each other as in a shop: Apple sells no Ryzen. */
export function* randomLaptops(count: number, seed = 1): Generator<LaptopRow> {
  const random = createRandom(seed);
  const places = createPlaces(random);
  for (let number = 1; number <= count; number += 1) {
    const { brand, processors } = pick(random, series);
    const processor = pick(random, processors);
    const isKnown = random() < 0.93;
    const originalCents = 30_000 + Math.floor(random() ** 2 * 4_000) * 100;
    const memory = pick(random, memories);
    const parts = {
      number,
      brand,
      condition: pick(random, ['Good', 'Excellent', 'Fair']),
      originalCents,
      priceCents: Math.floor(originalCents * (0.2 + random() * 0.7)),
      memory,
      storage: pick(random, storages),
      screen: isKnown ? pick(random, screens) : null,
      battery: random() < 0.8 ? 55 + Math.floor(random() * 46) : null,
      processor: isKnown ? processor.family : null,
      generation: isKnown ? pick(random, processor.generations) : null,
      graphics: pick(random, graphicsKinds),
      system: brand === 'Apple' ? ('macos' as const) : pick(random, windows),
      verified: random() < 0.6,
      shipping: random() < 0.4,
      level: pick(random, ['word', 'word', 'measured', 'inspected_photos', 'inspected_hand']),
      place: pick(random, places),
    };
    yield {
      ...parts,
      name: createName(random, brand, parts, processor.text),
      configuration: createConfiguration(random, parts, {
        chip: processor.text,
        graphics: pick(random, graphicsTexts[parts.graphics]),
        system: systemTexts[parts.system],
      }),
      notes: createNotes(random),
    };
  }
}
