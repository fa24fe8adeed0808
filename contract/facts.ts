import * as z from 'zod/mini';

/** The processor families that buyers filter by, with their display names, in display order. */
export const processorFamilies = {
  'intel-core-i3': 'Intel Core i3',
  'intel-core-i5': 'Intel Core i5',
  'intel-core-i7': 'Intel Core i7',
  'intel-core-i9': 'Intel Core i9',
  'intel-core': 'Intel Core 3, 5, 7',
  'intel-core-ultra-5': 'Intel Core Ultra 5',
  'intel-core-ultra-7': 'Intel Core Ultra 7',
  'intel-core-ultra-9': 'Intel Core Ultra 9',
  'intel-xeon': 'Intel Xeon',
  'intel-entry': 'Intel Celeron, Pentium, N-series',
  'amd-ryzen-3': 'AMD Ryzen 3',
  'amd-ryzen-5': 'AMD Ryzen 5',
  'amd-ryzen-7': 'AMD Ryzen 7',
  'amd-ryzen-9': 'AMD Ryzen 9',
  'amd-ryzen-ai': 'AMD Ryzen AI',
  'amd-entry': 'AMD Athlon, A-series',
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
  'ryzen-2000': 'Ryzen 2000 series',
  'ryzen-3000': 'Ryzen 3000 series',
  'ryzen-4000': 'Ryzen 4000 series',
  'ryzen-5000': 'Ryzen 5000 series',
  'ryzen-6000': 'Ryzen 6000 series',
  'ryzen-7000': 'Ryzen 7000 series',
  'ryzen-8000': 'Ryzen 8000 series',
  'ryzen-100': 'Ryzen 100 series',
  'ryzen-200': 'Ryzen 200 series',
  'ryzen-300': 'Ryzen 300 series',
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
  radeon: 'AMD Radeon RX, Pro',
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

/** What is read from the texts of a laptop's configuration. A fact that was not understood is missing. */
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
});
export type Facts = z.infer<typeof Facts>;

/** The configuration fields that facts are read from. */
export const factFields = ['Memory', 'Storage', 'Display', 'Processor', 'Graphics', 'Operating'] as const;
export type FactField = (typeof factFields)[number];

const factOfField = {
  Memory: 'memory',
  Storage: 'storage',
  Display: 'screen',
  Processor: 'processor',
  Graphics: 'graphics',
  Operating: 'system',
} as const satisfies Record<FactField, keyof Facts>;

/** Texts of a laptop's configuration. */
type ConfigurationTexts = Readonly<Partial<Record<FactField, string | undefined>>>;

/** Lower case, one space between words, so that expressions need not repeat over white space. */
const simplify = (text: string) => text.toLowerCase().replace(/\s+/gu, ' ');

/** The maximum plausible memory in gigabytes; more is a misread storage size. */
const MAXIMUM_MEMORY = 256;

/** The maximum plausible size of a drive in gigabytes. */
const MAXIMUM_STORAGE = 32_768;

const memorySize = /(?:(\d{1,2}) ?[x×] ?)?(\d{1,3}) ?(?:gb|gib|g\b)/;
const memoryInText = /(?:(\d{1,2}) ?[x×] ?)?(\d{1,3}) ?(?:gb|gib) (?:of )?(?:lp)?(?:ddr|ram|memory)/;

function readMemory(text: string, pattern: RegExp): number | undefined {
  const [, modules = '1', size] = pattern.exec(text) ?? [];
  const gigabytes = Number(modules) * Number(size);
  return gigabytes >= 1 && gigabytes <= MAXIMUM_MEMORY ? gigabytes : undefined;
}

/** Sizes under which drives are sold, in gigabytes. A size within 7 % counts as the nominal one: 240, 250 and 256 GB alike. */
const nominalStorage = [32, 64, 128, 256, 512, 1024, 2048, 4096, 8192];

const driveSize = /(\d{1,5})(?:[.,](\d))? ?(gb|gib|tb|tib)\b/g;
const driveInText =
  /(\d{1,5})(?:[.,](\d))? ?(gb|gib|tb|tib) (?:of )?(?:(?:m\.2|pcie|nvme|sata|fast) ?){0,3}(?:ssd|hdd|nvme|emmc|storage|drive|disk)/g;

function readStorage(text: string, pattern: RegExp): number | undefined {
  let largest = 0;
  for (const [, whole, tenth = '0', unit] of text.matchAll(pattern)) {
    const size = Number(`${whole}.${tenth}`) * (unit?.startsWith('t') ? 1024 : 1);
    if (size <= MAXIMUM_STORAGE) largest = Math.max(largest, size);
  }
  if (largest < 1) return undefined;
  return nominalStorage.find((size) => Math.abs(largest - size) <= size * 0.07) ?? Math.round(largest);
}

const inches = /(\d{2})(?:[.,](\d))?\d? ?-?(?:"|″|”|''|in\b|inch)/;

function readScreen(text: string): number | undefined {
  const [, whole, tenth = '0'] = inches.exec(text) ?? [];
  const diagonal = Number(`${whole}.${tenth}`);
  return diagonal >= 10 && diagonal <= 21 ? diagonal : undefined;
}

type ReadProcessor = Pick<Facts, 'processor' | 'generation'>;

const isGeneration = (name: string): name is ProcessorGeneration => Object.hasOwn(processorGenerations, name);
const isFamily = (name: string): name is ProcessorFamily => Object.hasOwn(processorFamilies, name);

/** Keeps names that buyers can filter by. */
function known(family: string, generation: string): ReadProcessor {
  return {
    ...(isFamily(family) && { processor: family }),
    ...(isGeneration(generation) && { generation }),
  };
}

/** The generation in an Intel Core model number: 7500 is the 7th, 1165 the 11th, 10510 the 10th, 520 the 1st. */
function intelGeneration(model: string): string {
  if (model.length === 3) return '1';
  return model.length === 5 || model.startsWith('1') ? model.slice(0, 2) : model.slice(0, 1);
}

const ordinalGeneration = /\b(\d{1,2})(?:st|nd|rd|th) gen/;

/** Each maker's naming scheme; the first that matches decides. */
const processorSchemes: readonly (readonly [
  RegExp,
  (match: RegExpExecArray, text: string) => ReadProcessor,
])[] = [
  [
    /\bultra ([579])(?:[ -](?:pro )?(\d)\d\d)?/,
    ([, tier, series = '']) => known(`intel-core-ultra-${tier}`, `intel-series-${series}`),
  ],
  [
    /\bi([3579])(?:[ -]?(\d{3,5}))?/,
    ([, tier, model], text) =>
      known(
        `intel-core-i${tier}`,
        `intel-${model === undefined ? (ordinalGeneration.exec(text)?.[1] ?? '') : intelGeneration(model)}`,
      ),
  ],
  [/\bryzen ai\b(?:[a-z0-9+ ]{0,8} (\d)\d\d)?/, ([, series]) => known('amd-ryzen-ai', `ryzen-${series}00`)],
  [
    /\bryzen ([3579])(?:[ -](?:pro )?(\d{3,4}))?/,
    ([, tier, model = '']) =>
      known(`amd-ryzen-${tier}`, `ryzen-${model.slice(0, 1)}${'0'.repeat(Math.max(model.length - 1, 0))}`),
  ],
  [/\bcore [357](?: (\d)\d\d)?/, ([, series = '']) => known('intel-core', `intel-series-${series}`)],
  [/\bxeon\b/, () => known('intel-xeon', '')],
  [/\b(?:celeron|pentium|n\d{2,4}\b|atom)/, () => known('intel-entry', '')],
  [/\bathlon\b|\ba(?:4|6|8|9|10|12)-\d/, () => known('amd-entry', '')],
  [/\bsnapdragon\b/, () => known('snapdragon', '')],
  [/\bmediatek\b|\bkompanio\b/, () => known('arm-entry', '')],
  [/\b(?:apple )?m([1-5])\b|\bapple m/, ([, number]) => known('apple', `apple-${number}`)],
];

function readProcessor(text: string): ReadProcessor {
  for (const [pattern, read] of processorSchemes) {
    const match = pattern.exec(text);
    if (match !== null) return read(match, text);
  }
  return {};
}

/** In order: a workstation card is also an RTX, and an integrated Radeon is also a Radeon. */
const graphicsPatterns: readonly (readonly [RegExp, GraphicsKind])[] = [
  [/quadro|\brtx (?:pro )?a?\d000|\brtx a\d{3,4}|nvidia t\d{3,4}\b/, 'nvidia-workstation'],
  [/geforce|\b[rg]tx\b|\bmx ?\d{3}\b|nvidia/, 'geforce'],
  [/\bradeon (?:rx|pro)\b|\bfirepro\b/, 'radeon'],
  [/\barc a\d{2,3}m?\b/, 'arc'],
  [
    /integrated|\biris\b|\buhd\b|\bhd graphics\b|\bxe\b|\bradeon\b|\barc\b|\bvega\b|\badreno\b|\bmali\b|intel/,
    'integrated',
  ],
];

const systemPatterns: readonly (readonly [RegExp, OperatingSystem])[] = [
  [/\bwin(?:dows)? ?11\b/, 'windows-11'],
  [/\bwin(?:dows)? ?10\b/, 'windows-10'],
  [/\bwin(?:dows)? ?(?:8|7|vista|xp)/, 'windows-older'],
  [/\bchrome ?os\b/, 'chromeos'],
  [/\bmac ?os\b/, 'macos'],
  [/linux|ubuntu|debian|fedora|mint\b|pop!?_os/, 'linux'],
  [/\bnone\b|\bno (?:os|system|operating)|\bfree ?dos\b|without/, 'none'],
];

const firstMatch = <Kind>(patterns: readonly (readonly [RegExp, Kind])[], text: string) =>
  patterns.find(([pattern]) => pattern.test(text))?.[1];

/** Removes what was not understood. */
function present(facts: { [Name in keyof Facts]: Facts[Name] | undefined }): Facts {
  return Facts.parse(Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)));
}

/**
 * Reads the facts in a laptop's description. A plain text is read too, but there sizes count only beside words such as RAM
 * and SSD.
 */
export function readFacts(description: string | ConfigurationTexts): Facts {
  if (typeof description === 'string') {
    const text = simplify(description);
    return present({
      memory: readMemory(text, memoryInText),
      storage: readStorage(text, driveInText),
      screen: readScreen(text),
      ...readProcessor(text),
      graphics: firstMatch(graphicsPatterns.slice(0, -1), text),
      system: firstMatch(systemPatterns.slice(0, -1), text),
    });
  }
  const field = (name: FactField) => simplify(description[name] ?? '');
  return present({
    memory: readMemory(field('Memory'), memorySize),
    storage: readStorage(field('Storage'), driveSize),
    screen: readScreen(field('Display')),
    ...readProcessor(field('Processor')),
    graphics: firstMatch(graphicsPatterns, field('Graphics')),
    system: firstMatch(systemPatterns, field('Operating')),
  });
}

/** The configuration fields whose text was not understood. */
export function unreadFields(description: ConfigurationTexts): FactField[] {
  const facts = readFacts(description);
  return factFields.filter(
    (field) => (description[field] ?? '') !== '' && facts[factOfField[field]] === undefined,
  );
}
