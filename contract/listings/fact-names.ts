import * as z from 'zod/mini';

/** The processor families that buyers filter by, with their display names, in display order. */
export const processorFamilies = {
  'intel-core-i3': 'Intel Core i3',
  'intel-core-i5': 'Intel Core i5',
  'intel-core-i7': 'Intel Core i7',
  'intel-core-i9': 'Intel Core i9',
  'intel-core': 'Intel Core 3, 5, 7, 9',
  'intel-core-ultra-5': 'Intel Core Ultra 5',
  'intel-core-ultra-7': 'Intel Core Ultra 7',
  'intel-core-ultra-9': 'Intel Core Ultra 9',
  'intel-core-m': 'Intel Core m',
  'intel-core-2': 'Intel Core 2',
  'intel-xeon': 'Intel Xeon',
  'intel-entry': 'Intel Celeron, Pentium, N-series',
  'amd-ryzen-3': 'AMD Ryzen 3',
  'amd-ryzen-5': 'AMD Ryzen 5',
  'amd-ryzen-7': 'AMD Ryzen 7',
  'amd-ryzen-9': 'AMD Ryzen 9',
  'amd-ryzen-ai': 'AMD Ryzen AI',
  'amd-entry': 'AMD Athlon, A-series and older',
  snapdragon: 'Qualcomm Snapdragon',
  'arm-entry': 'MediaTek',
  apple: 'Apple M-series',
} as const;

/** The generations of processors, with their display names, oldest first within a maker. */
export const processorGenerations = {
  'intel-1': 'Intel 1st generation',
  'intel-2': 'Intel 2nd generation',
  'intel-3': 'Intel 3rd generation',
  'intel-4': 'Intel 4th generation',
  'intel-5': 'Intel 5th generation',
  'intel-6': 'Intel 6th generation',
  'intel-7': 'Intel 7th generation',
  'intel-8': 'Intel 8th generation',
  'intel-9': 'Intel 9th generation',
  'intel-10': 'Intel 10th generation',
  'intel-11': 'Intel 11th generation',
  'intel-12': 'Intel 12th generation',
  'intel-13': 'Intel 13th generation',
  'intel-14': 'Intel 14th generation',
  'intel-series-1': 'Intel Core Series 1',
  'intel-series-2': 'Intel Core Series 2',
  'intel-series-3': 'Intel Core Series 3',
  'ryzen-2000': 'Ryzen 2000 series',
  'ryzen-3000': 'Ryzen 3000 series',
  'ryzen-4000': 'Ryzen 4000 series',
  'ryzen-5000': 'Ryzen 5000 series',
  'ryzen-6000': 'Ryzen 6000 series',
  'ryzen-7000': 'Ryzen 7000 series',
  'ryzen-8000': 'Ryzen 8000 series',
  'ryzen-9000': 'Ryzen 9000 series',
  'ryzen-100': 'Ryzen 100 series',
  'ryzen-200': 'Ryzen 200 series',
  'ryzen-300': 'Ryzen 300 series',
  'ryzen-400': 'Ryzen 400 series',
  'apple-1': 'Apple M1',
  'apple-2': 'Apple M2',
  'apple-3': 'Apple M3',
  'apple-4': 'Apple M4',
  'apple-5': 'Apple M5',
} as const;

export const graphicsKinds = {
  integrated: 'Integrated',
  geforce: 'NVIDIA GeForce',
  'nvidia-workstation': 'NVIDIA RTX, Quadro',
  radeon: 'AMD Radeon, dedicated',
  arc: 'Intel Arc',
} as const;

export const operatingSystems = {
  'windows-11': 'Windows 11',
  'windows-10': 'Windows 10',
  'windows-older': 'Windows 8 or older',
  chromeos: 'ChromeOS',
  linux: 'Linux',
  macos: 'macOS',
  none: 'No system',
} as const;

export type ProcessorFamily = keyof typeof processorFamilies;
export type ProcessorGeneration = keyof typeof processorGenerations;
export type GraphicsKind = keyof typeof graphicsKinds;
export type OperatingSystem = keyof typeof operatingSystems;

/** The keys of a record of display names, as a schema. */
function keyOf<Key extends string>(names: Record<Key, string>, error: string) {
  return z.custom<Key>((value) => typeof value === 'string' && Object.hasOwn(names, value), { error });
}

export const ProcessorFamily = keyOf(processorFamilies, 'Unknown processor family');
export const ProcessorGeneration = keyOf(processorGenerations, 'Unknown processor generation');
export const GraphicsKind = keyOf(graphicsKinds, 'Unknown kind of graphics');
export const OperatingSystem = keyOf(operatingSystems, 'Unknown operating system');

/**
 * What is read from the texts of a laptop's configuration. A fact that was not understood is missing. Of a listed laptop that
 * counts as measured, the battery is the measured one.
 */
export const Facts = z.object({
  /** Gigabytes of memory. */
  memory: z.optional(z.int()),
  /** Gigabytes of the largest drive; 1024 a terabyte. */
  storage: z.optional(z.int()),
  /** Diagonal in inches, to a tenth. */
  screen: z.optional(z.number()),
  processor: z.optional(ProcessorFamily),
  generation: z.optional(ProcessorGeneration),
  graphics: z.optional(GraphicsKind),
  system: z.optional(OperatingSystem),
  /** Capacity of the battery in percent of the one when new. */
  battery: z.optional(z.int()),
  /** Whether the laptop measured its battery itself. Missing when the seller wrote it. */
  batteryMeasured: z.optional(z.literal(true)),
});
export type Facts = z.infer<typeof Facts>;

/** The configuration fields that facts are read from. */
export const factFields = [
  'Memory',
  'Storage',
  'Display',
  'Processor',
  'Graphics',
  'Battery',
  'Operating',
] as const;
export type FactField = (typeof factFields)[number];

const intelGenerations = ['6th', '7th', '8th', '9th', '10th', '11th', '12th', '13th', '14th'];
const ryzenSeries = ['2000', '3000', '4000', '5000', '6000', '7000', '8000', '200'];

const intelChoices = (family: string, generations: readonly string[]) =>
  generations.map((generation) => `${family}, ${generation} generation`);
const ryzenChoices = (family: string, series: readonly string[]) =>
  series.map((each) => `${family}, ${each} series`);
const seriesChoices = (families: readonly string[]) =>
  ['Series 1', 'Series 2', 'Series 3'].flatMap((series) => families.map((family) => `${family}, ${series}`));

/** Texts that the form for a new laptop offers per field. Each is read completely, and any other text can be typed. */
export const factChoices: Readonly<Record<FactField, readonly string[]>> = {
  Processor: [
    ...intelChoices(processorFamilies['intel-core-i3'], intelGenerations.slice(0, -1)),
    ...intelChoices(processorFamilies['intel-core-i5'], intelGenerations),
    ...intelChoices(processorFamilies['intel-core-i7'], intelGenerations),
    ...intelChoices(processorFamilies['intel-core-i9'], intelGenerations.slice(2)),
    ...seriesChoices(['Intel Core 3', 'Intel Core 5', 'Intel Core 7']),
    ...seriesChoices([
      processorFamilies['intel-core-ultra-5'],
      processorFamilies['intel-core-ultra-7'],
      processorFamilies['intel-core-ultra-9'],
    ]),
    'Intel Core m3',
    'Intel Core 2 Duo',
    'Intel Celeron',
    'Intel Pentium',
    'Intel N100',
    'Intel Xeon',
    ...ryzenChoices(processorFamilies['amd-ryzen-3'], ryzenSeries),
    ...ryzenChoices(processorFamilies['amd-ryzen-5'], ryzenSeries),
    ...ryzenChoices(processorFamilies['amd-ryzen-7'], ryzenSeries),
    ...ryzenChoices(processorFamilies['amd-ryzen-9'], [...ryzenSeries.slice(2, -1), '9000']),
    ...ryzenChoices(processorFamilies['amd-ryzen-ai'], ['300', '400']),
    'AMD Athlon',
    ...Object.entries(processorGenerations)
      .filter(([code]) => code.startsWith('apple-'))
      .map(([, name]) => name),
    processorFamilies.snapdragon,
    processorFamilies['arm-entry'],
  ],
  Graphics: [
    graphicsKinds.integrated,
    'Intel Iris Xe',
    'Intel UHD Graphics',
    'AMD Radeon Graphics',
    'NVIDIA GeForce MX450',
    'NVIDIA GeForce GTX 1650',
    'NVIDIA GeForce RTX 3050',
    'NVIDIA GeForce RTX 3060',
    'NVIDIA GeForce RTX 3070',
    'NVIDIA GeForce RTX 4050',
    'NVIDIA GeForce RTX 4060',
    'NVIDIA GeForce RTX 4070',
    'NVIDIA Quadro',
    'NVIDIA RTX A2000',
    'AMD Radeon RX 6600M',
    'AMD Radeon Pro',
    'Intel Arc A370M',
  ],
  Display: ['11.6″', '12.5″', '13.3″', '13.5″', '14″', '15″', '15.6″', '16″', '17.3″'],
  Memory: ['4', '8', '12', '16', '18', '24', '32', '36', '48', '64', '96', '128'].map((size) => `${size} GB`),
  Storage: [
    '64 GB eMMC',
    '128 GB SSD',
    '256 GB SSD',
    '512 GB SSD',
    '1 TB SSD',
    '2 TB SSD',
    '4 TB SSD',
    '500 GB HDD',
    '1 TB HDD',
  ],
  Battery: [
    '95 % health',
    '90 % health',
    '85 % health',
    '80 % health',
    '75 % health',
    '70 % health',
    '60 % health',
  ],
  Operating: [
    'Windows 11 Home',
    'Windows 11 Pro',
    'Windows 10 Home',
    'Windows 10 Pro',
    operatingSystems.chromeos,
    operatingSystems.linux,
    operatingSystems.macos,
    operatingSystems.none,
  ],
};
