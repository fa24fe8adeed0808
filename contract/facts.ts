import {
  type FactField,
  Facts,
  factFields,
  type GraphicsKind,
  type OperatingSystem,
  type ProcessorFamily,
  type ProcessorGeneration,
  processorFamilies,
  processorGenerations,
} from './fact-names.ts';

export * from './fact-names.ts';

const factOfField = {
  Memory: 'memory',
  Storage: 'storage',
  Display: 'screen',
  Processor: 'processor',
  Graphics: 'graphics',
  Battery: 'battery',
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

/** The maximum plausible capacity of a battery in percent of the one when new; gauges of new batteries report more than 100. */
const MAXIMUM_BATTERY = 130;

const percentages = /(?<![\d.,])(\d{1,3})(?:[.,]\d{1,2})? ?(?:%|percent\b|per cent\b)/g;
const batteryInText =
  /\bbattery (?:health|capacity)(?::| is| at| of)? (\d{1,3}) ?%|(?<![\d.,])(\d{1,3}) ?% battery (?:health|capacity)/;

/** Words beside a percentage that is a charge, a loss, a range or an upper bound, not the capacity that is left. */
const otherShare =
  /charged|charging|charges|limit|wear|worn|los[ets]|degrad|below|under|less|at most|up to|<|\d ?(?:-|–|to) ?\d{1,3} ?%/;

const plausibleBattery = (percent: number) =>
  percent >= 1 && percent <= MAXIMUM_BATTERY ? percent : undefined;

/** Reads the text of the field Battery. Several different percentages are not understood. */
function readBattery(text: string): number | undefined {
  if (otherShare.test(text)) return undefined;
  const [percent, ...others] = new Set([...text.matchAll(percentages)].map(([, whole]) => Number(whole)));
  return percent === undefined || others.length > 0 ? undefined : plausibleBattery(percent);
}

function readBatteryInText(text: string): number | undefined {
  const [, after, before] = batteryInText.exec(text) ?? [];
  return plausibleBattery(Number(after ?? before));
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
const intelSeries = /\bseries ([12])\b/;
const ryzenSeries = /\b(\d00|\d000) series\b/;

const firstGroup = (pattern: RegExp, text: string) => pattern.exec(text)?.[1] ?? '';

/** Each maker's naming scheme; the first that matches decides. */
const processorSchemes: readonly (readonly [
  RegExp,
  (match: RegExpExecArray, text: string) => ReadProcessor,
])[] = [
  [
    /\bultra ([579])(?:[ -](?:pro )?(\d)\d\d)?/,
    ([, tier, series], text) =>
      known(`intel-core-ultra-${tier}`, `intel-series-${series ?? firstGroup(intelSeries, text)}`),
  ],
  [
    /\bi([3579])(?:[ -]?(\d{3,5}))?/,
    ([, tier, model], text) =>
      known(
        `intel-core-i${tier}`,
        `intel-${model === undefined ? firstGroup(ordinalGeneration, text) : intelGeneration(model)}`,
      ),
  ],
  [
    /\bryzen ai\b(?:[a-z0-9+ ]{0,8} (\d)\d\d)?/,
    ([, series], text) =>
      known('amd-ryzen-ai', `ryzen-${series === undefined ? firstGroup(ryzenSeries, text) : `${series}00`}`),
  ],
  [
    /\bryzen ([3579])(?:[ -](?:pro )?(\d{3,4}))?/,
    ([, tier, model], text) =>
      known(
        `amd-ryzen-${tier}`,
        `ryzen-${model === undefined ? firstGroup(ryzenSeries, text) : model.slice(0, 1).padEnd(model.length, '0')}`,
      ),
  ],
  [
    /\bcore [357](?: (\d)\d\d)?/,
    ([, series], text) => known('intel-core', `intel-series-${series ?? firstGroup(intelSeries, text)}`),
  ],
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
      battery: readBatteryInText(text),
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
    battery: readBattery(field('Battery')),
  });
}

/** The configuration fields whose text was not understood. */
export function unreadFields(description: ConfigurationTexts): FactField[] {
  const facts = readFacts(description);
  return factFields.filter(
    (field) => (description[field] ?? '') !== '' && facts[factOfField[field]] === undefined,
  );
}
