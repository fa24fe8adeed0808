import { type FactField, Facts, type OperatingSystem } from './fact-names.ts';
import { readDedicatedGraphics, readGraphics } from './graphics-names.ts';
import { readProcessor } from './processor-names.ts';
import { readMemory, readStorage } from './sizes.ts';

export * from './fact-names.ts';

/** Texts of a laptop's configuration. */
type ConfigurationTexts = Readonly<Partial<Record<FactField, string | undefined>>>;

/** Lower case, one space between words, so that expressions need not repeat over white space. A new line ends a sentence. */
const simplify = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/ ?\n[ \n]*/g, '; ');

/** In French also `15"6`. */
const inches =
  /(?<![\d.,])(\d{2})(?:[.,](\d))?\d? ?-?(?:"|″|”|''|inch|zoll|in\b(?! (?:1\b|one\b|total|all\b|stock|the\b|a\b)))(?:(?<=["″”])(\d)(?!\d))?/g;
const centimetres = /(?<![\d.,])(?<![x×] ?)(\d{2}(?:[.,]\d{1,2})?) ?cm\b(?! ?[x×])/;

/** Several different diagonals are not understood. A length in centimetres is the diagonal only in the field Display. */
function readScreen(text: string, isPlainText = false): number | undefined {
  const found = [...text.matchAll(inches)].map(([, whole, tenth, last = '0']) =>
    Number(`${whole}.${tenth ?? last}`),
  );
  const [, length] = isPlainText || found.length > 0 ? [] : (centimetres.exec(text) ?? []);
  if (length !== undefined) found.push(Math.round((Number(length.replace(',', '.')) / 2.54) * 10) / 10);
  const [diagonal, ...others] = new Set(found.filter((each) => each >= 10 && each <= 21));
  return others.length === 0 ? diagonal : undefined;
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

const windowsVersion =
  /\b(?:win(?:dows)? ?|w(?=1))(1[01]|8|7|vista|xp)\b(?! (?:ready|compatible|eligible|capable|upgrade|support))/g;
const otherWindows =
  /\b(?:upgrad\w{0,6}|updat\w{0,6}|eligible|ready|compatible|supports?)(?: (?:to|for|with))? $/;
const alternativeWindows = /\b1[01] ?(?:\/|or) ?(?:win(?:dows)? ?)?1[01]\b/;

/** Several versions of Windows are not understood. A version that the laptop could have does not count. */
function readSystem(text: string, others: typeof otherSystems): OperatingSystem | undefined {
  if (alternativeWindows.test(text)) return undefined;
  const versions = [...text.matchAll(windowsVersion)]
    .filter(({ index }) => !otherWindows.test(text.slice(Math.max(0, index - 30), index)))
    .map(([, version]) =>
      version === '11' || version === '10' ? (`windows-${version}` as const) : 'windows-older',
    );
  const [version, ...further] = new Set(versions);
  if (further.length > 0) return undefined;
  return version ?? others.find(([pattern]) => pattern.test(text))?.[1];
}

/** In order of preference, for laptops with several. The last one is read in the field Operating only. */
const otherSystems: readonly (readonly [RegExp, OperatingSystem])[] = [
  [/\bchrome ?os\b/, 'chromeos'],
  [/\bmac ?os\b|\bos x\b/, 'macos'],
  [
    // `Mint` alone is also a condition.
    /linux|ubuntu|debian|fedora|pop!?_os|\bmint (?:\d|cinnamon|mate|xfce)|^mint$|manjaro|opensuse|zorin|nixos|elementary os/,
    'linux',
  ],
  [/\bnone\b|\bno (?:os|system|operating)|\bfree ?dos\b|without/, 'none'],
];

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
      memory: readMemory(text, true),
      storage: readStorage(text, true),
      screen: readScreen(text, true),
      ...readProcessor(text),
      graphics: readDedicatedGraphics(text),
      system: readSystem(text, otherSystems.slice(0, -1)),
      battery: readBatteryInText(text),
    });
  }
  const field = (name: FactField) => simplify(description[name] ?? '');
  return present({
    memory: readMemory(field('Memory')),
    storage: readStorage(field('Storage')),
    screen: readScreen(field('Display')),
    ...readProcessor(field('Processor')),
    graphics: readGraphics(field('Graphics')),
    system: readSystem(field('Operating'), otherSystems),
    battery: readBattery(field('Battery')),
  });
}
