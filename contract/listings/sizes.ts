// Reads the sizes of memory and drives that sellers write. A text that can be understood in two ways has no size: the form then
// says that buyers cannot filter by it.

/** A size in a text. */
interface Size {
  /** Of one module or drive. */
  gigabytes: number;
  /** The number of equal modules or drives: 2 in `2 × 8 GB`. */
  count: number;
  /** It may repeat a size before it: `16 GB (2 × 8 GB)`. */
  isDetail: boolean;
  /** It is added to the size before it: `8 GB + 8 GB`. */
  isAdded: boolean;
  /** It is an alternative to the size before it: `256 GB or 512 GB`. */
  isAlternative: boolean;
  /** The text around it, cut off. */
  before: string;
  after: string;
}

/** `To` and `Go` are French. `8 to 16 GB` is no size in terabytes. */
const size =
  /(?:(?<![a-z\d.,])(?<count>\d{1,2}) ?[x×*] ?)?(?<![\d.,])(?<number>\d{1,5}(?:[.,]\d{1,3})?) ?(?<unit>gi?b|go|gigs?|gigabytes?|g|ti?b|to(?= ?(?:$|[,;.+(]|ssd|hdd|nvme))|terabytes?|mi?b)(?:\b|(?<=b)(?=(?:lp)?ddr|ram|ssd|hdd|nvme|emmc))(?: ?[x×*] ?(?<times>\d{1,2})\b)?/g;

/** `two 8 GB sticks`, `2 modules of 8 GB`, `8 GB each`: a number of modules that is not written as in `2 × 8 GB`. */
const countBefore =
  /\b(?:(?:two|three|four|both|zwei|deux|dos)|(?:two|three|four|[2-4]) ?(?:x )?(?:so-?dimms?|dimms?|sticks|modules|riegel|barrettes)(?: of| à| zu| de|:|,)?) ?$/;
const countAfter = /^ ?(?:[\w-]{1,10} ){0,2}each\b/;
const isCountedInWords = ({ before, after }: Size) => countBefore.test(before) || countAfter.test(after);
/** Of several drives, one that is not in the laptop now, or could be. */
const otherDrives =
  /\b(?:removed|replac\w{2,4}|instead|before|previous\w*|formerly|swapped|extern\w*|statt|vorher|ersetzt|(?:erweiter|aufrüst)bar|extensible|ampliable|espandibile)\b/;

/** A number with a decimal point or comma, or with a separator of thousands before three digits. */
function toGigabytes(number: string, unit: string): number {
  const isThousands = /[.,]\d{3}$/.test(number) && !unit.startsWith('t');
  const value = Number(isThousands ? number.replace(/[.,]/, '') : number.replace(',', '.'));
  if (unit.startsWith('t')) return value * 1024;
  return unit.startsWith('m') ? value / 1024 : value;
}

const upperBoundBefore =
  /(?:\bup ?to|\bbis(?: zu)?|\bmax(?:imum|imal)?[.:]?(?: of)?|\b(?:expand|extend|upgrad)e?able(?: up)?(?: to)?|\b(?:expand|extend|upgrade)(?: it)?(?: up)? to|\bsupports?|\b(?:can|could) (?:take|hold|have)|\bslots? for(?: a| an)?|gb of|[<≤]) ?$/;
/** Also of the part of a memory or drive that a system or its files leave. */
const boundAfter =
  /^ ?(?:max\b|maximum|possible|supported|usable|available|free\b|left\b|used\b|verwendbar|nutzbar|frei\b)/;
/** `8/16 GB`, `8 or 16 GB`. */
const alternativeBefore = /(?<![\w.-])\d{1,4} ?(?:or|to|\/|-) ?$/;

/** Between two sizes, of which the second is added to the first. */
const sum = /^[^.;,]{0,30}(?:\+|&|\band\b|\bplus\b)[^.;,]{0,30}$/;
/** Between two sizes, of which the laptop has one. `256 GB SSD / 1 TB HDD` are two drives. */
const alternative = /^ ?(?:to|\/|-) ?$|^ (?:[\w.]{1,8} ){0,3}or $/;

/** The characters around a size that are looked at. */
const CONTEXT = 30;

/** The sizes that a text gives to something in the laptop, without upper bounds. @param concerns whether it is such a thing */
function readSizes(text: string, concerns: (found: Size) => boolean): Size[] {
  const plain = text
    .replace(/[‐‑‒–—]/g, '-')
    .replace(/(?<![\w.,])(\d{1,4}) ?\+ ?(?=\d{1,4} ?gb)/g, '$1 gb + ');
  const sizes: Size[] = [];
  let end = 0;
  for (const match of plain.matchAll(size)) {
    const { count, number = '', unit = '', times } = match.groups ?? {};
    const start = match.index;
    const until = start + match[0].length;
    const between = plain.slice(end, start);
    const before = plain.slice(Math.max(0, start - CONTEXT), start);
    const found: Size = {
      gigabytes: toGigabytes(number, unit),
      count: Number(count ?? times ?? 1),
      isDetail: count !== undefined || times !== undefined || /\([^)]{0,30}$|[:=] ?$/.test(before),
      isAdded: sizes.length > 0 && sum.test(between),
      isAlternative: alternativeBefore.test(before) || (sizes.length > 0 && alternative.test(between)),
      before,
      after: plain.slice(until, until + CONTEXT),
    };
    if (upperBoundBefore.test(before) || boundAfter.test(found.after) || !concerns(found)) continue;
    end = until;
    sizes.push(found);
  }
  return sizes;
}

/** Words that say what a size is, when they follow or, with a colon, lead it. */
interface Words {
  after: RegExp;
  before: RegExp;
}

const memoryWords: Words = {
  after: /^ ?(?:of )?(?:unified )?(?:lp)?(?:ddr|ram\b|memory|sdram)/,
  before: /(?:^|[;,.(] ?)(?:ram|memory)(?: size)?:? ?$/,
};
const driveWords: Words = {
  after:
    /^ ?(?:of )?(?:(?:m\.2|pcie|nvme|sata|fast) ?){0,3}(?:ssd|hdd|nvme|emmc|ufs|storage|drive|disk|hard)/,
  before: /(?:^|[;,.(] ?)(?:ssd|hdd|storage|hard (?:drive|disk)):? ?$/,
};
/** What is neither the memory nor a drive of the laptop. */
const otherWords =
  /^ ?(?:of )?(?:vram|video|graphics|gddr|gpu|cache|lte|modem|(?:micro ?)?sd(?:xc)?\b|usb|external|portable|(?:one|i)?cloud|onedrive|optane)/;

const isOf = (words: Words, { before, after }: Size) => words.after.test(after) || words.before.test(before);

/**
 * Sizes of a field, except those that belong to another field; or of a text about everything, only those beside words that say
 * what they are.
 */
function sizesOf(text: string, words: Words, other: Words, isPlainText: boolean): Size[] {
  const sizes = readSizes(
    text,
    (found) => !otherWords.test(found.after) && !(isOf(other, found) && !isOf(words, found)),
  );
  if (!isPlainText) return sizes;
  // In `8 GB + 8 GB RAM`, the word is at the last size.
  let isNamed = false;
  return sizes
    .toReversed()
    .filter((found, index, reversed) => {
      isNamed = isOf(words, found) || (isNamed && reversed[index - 1]?.isAdded === true);
      return isNamed;
    })
    .toReversed();
}

/** The maximum plausible memory in gigabytes; more is a misread storage size. */
const MAXIMUM_MEMORY = 256;

/** Modules have an even number of gigabytes, apart from the smallest. An odd one is what a system can use of its memory. */
const isMemorySize = (gigabytes: number) =>
  Number.isInteger(gigabytes) &&
  gigabytes >= 1 &&
  gigabytes <= MAXIMUM_MEMORY &&
  (gigabytes <= 6 || gigabytes % 2 === 0);

/**
 * Reads the gigabytes of memory. Modules are added up; a total and its modules must agree.
 * @param text lower case, with one space between words
 * @param isPlainText whether the text is about the whole laptop
 * @returns undefined when no size, or no single one, is named
 */
export function readMemory(text: string, isPlainText = false): number | undefined {
  const sizes = sizesOf(text, memoryWords, driveWords, isPlainText).filter(({ gigabytes }) =>
    isMemorySize(gigabytes),
  );
  if (sizes.some(({ isAlternative }) => isAlternative)) return undefined;
  // Without another size that gives the total, it is not clear how much it is.
  const [only] = sizes;
  if (sizes.length === 1 && only?.count === 1 && isCountedInWords(only)) return undefined;
  const totals: { gigabytes: number; isDetail: boolean }[] = [];
  for (const { gigabytes, count, isDetail, isAdded } of sizes) {
    const previous = totals.at(-1);
    if (isAdded && previous !== undefined) previous.gigabytes += gigabytes * count;
    else totals.push({ gigabytes: gigabytes * count, isDetail });
  }
  const [total, ...others] = totals;
  if (total === undefined || !isMemorySize(total.gigabytes)) return undefined;
  const agrees = others.every(
    ({ gigabytes, isDetail }) => gigabytes === total.gigabytes && (isDetail || total.isDetail),
  );
  return agrees ? total.gigabytes : undefined;
}

/** The maximum plausible size of a drive in gigabytes. */
const MAXIMUM_STORAGE = 32_768;

/**
 * Sizes under which drives are sold, in gigabytes. Up to 7 % more and 13 % less counts as the nominal one: 240, 250 and 256 GB
 * alike, also as Windows shows them, in gigabytes of 1024³ bytes: 223, 232 and 238.
 */
const nominalStorage = [32, 64, 128, 256, 512, 1024, 2048, 4096, 8192];

const nominal = (gigabytes: number): number =>
  nominalStorage.find((each) => gigabytes >= each * 0.87 && gigabytes <= each * 1.07) ??
  Math.round(gigabytes);

/**
 * Reads the gigabytes of the largest drive; 1024 a terabyte.
 * @param text lower case, with one space between words
 * @param isPlainText whether the text is about the whole laptop
 * @returns undefined when no size is named, or alternatives are
 */
export function readStorage(text: string, isPlainText = false): number | undefined {
  const sizes = sizesOf(text, driveWords, memoryWords, isPlainText).filter(
    ({ gigabytes }) => gigabytes >= 1 && gigabytes <= MAXIMUM_STORAGE,
  );
  if (sizes.length === 0 || sizes.some(({ isAlternative }) => isAlternative)) return undefined;
  if (sizes.length > 1 && sizes.some(({ before, after }) => otherDrives.test(`${before} ${after}`)))
    return undefined;
  const largest = (drives: readonly Size[]) => nominal(Math.max(...drives.map(({ gigabytes }) => gigabytes)));
  // `1 TB (2 × 512 GB)`: no drive has the total.
  const [total, ...drives] = sizes;
  const sum = drives.reduce((size, { gigabytes, count }) => size + gigabytes * count, 0);
  const isTotal =
    total !== undefined && drives[0]?.isDetail === true && nominal(sum) === nominal(total.gigabytes);
  return largest(isTotal ? drives : sizes);
}

/** Formats a size in gigabytes, such as `512 GB` or `1 TB`. */
export function formatGigabytes(size: number): string {
  return size >= 1024 && size % 512 === 0 ? `${size / 1024} TB` : `${size} GB`;
}
