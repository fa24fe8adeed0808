// Compares the configuration of a listing with what the laptop reported, and writes it for the form.

import { type FactField, type Facts, factChoices, readFacts } from '#contract/listings/facts.ts';
import type { ConfigurationField } from '#contract/listings/laptop-schemas.ts';
import type { ComparedFact, Contradiction, FactComparison, NotComparedReason } from './inspections.ts';
import { type Drive, driveSize, type Machine, type Memory, measuredMemory, memoryText } from './machine.ts';

/** The configuration of a listing. */
export interface ListedConfiguration {
  facts: Facts;
  /** The seller's own words: a text, or one per configuration field. */
  description: string | Readonly<Record<string, string>>;
}

/** A drive sold as 512 GB reports 500 to 525 GB. */
const STORAGE_TOLERANCE = 0.1;
/** Makers round diagonals: 15.6 inches are measured as 15.5. */
const SCREEN_TOLERANCE_INCHES = 0.35;

/**
 * A contradiction, in the seller's words as far as the listing has them by field.
 * @param fallback for a description in one text, which is not repeated
 */
const differs = (
  { description }: ListedConfiguration,
  field: FactField,
  fallback: string,
  measured: string,
): Contradiction => ({
  field,
  listed: (typeof description === 'string' ? undefined : description[field]) ?? fallback,
  measured,
});

/** How a fact of a listing and the machine compare: they agree, differ as described, or could not be compared. */
export interface Comparison {
  fact: ComparedFact;
  outcome: 'measured' | NotComparedReason | Contradiction;
}

/** Words by which a description in one text says something about a fact that a listing needs to count as measured. */
const mentions: Readonly<Partial<Record<FactField, RegExp>>> = {
  Processor:
    /\bi[3579]\b|\bcore\b[^.;,\n]{0,10}\d|\b(?:ryzen|snapdragon|celeron|pentium|xeon|athlon)\b|\bapple (?:m\d|silicon)\b|\b(?:processor|cpu)\b[^.;,\n]{0,20}\d/i,
  Memory: /\d[^.;,\n]{0,20}\b(?:ram|memory|ddr\d)|\b(?:ram|memory)\b[^.;,\n]{0,20}\d/i,
};

/** Why a fact without a value cannot be compared: no words about it, or words that are not understood. */
function withoutListedValue({ description }: ListedConfiguration, field: FactField): NotComparedReason {
  const isListed =
    typeof description === 'string'
      ? mentions[field]?.test(description) === true
      : (description[field] ?? '').trim() !== '';
  return isListed ? 'listing_unclear' : 'not_listed';
}

/**
 * The part of the installed memory that the system sees at least. Firmware can give three quarters of it to the graphics (AMD,
 * Variable Graphics Memory), and the kernel's own share is left out as well.
 */
const LEAST_VISIBLE_MEMORY = 1 / 5;

function memoryOutcome(listing: ListedConfiguration, { memory }: Machine): Comparison['outcome'] {
  const { memory: listed } = listing.facts;
  if (listed === undefined) return withoutListedValue(listing, 'Memory');
  if (memory === null) return 'not_read';
  if ('value' in memory && memory.value === listed) return 'measured';
  const words = memoryText(memory);
  if ('value' in memory || listed < memory.atLeast) return differs(listing, 'Memory', `${listed} GB`, words);
  if (memory.atLeast >= listed * LEAST_VISIBLE_MEMORY) return 'only_a_bound';
  return differs(listing, 'Memory', `${listed} GB`, `${words}, but far less than ${listed} GB`);
}

function storageOutcome(listing: ListedConfiguration, { drives }: Machine): Comparison['outcome'] {
  const { facts } = listing;
  if (facts.storage === undefined) return withoutListedValue(listing, 'Storage');
  if (drives.length === 0) return 'not_read';
  const largest = Math.max(...drives.map((drive) => drive.gigabytes));
  // Listings give 1 TB as 1024 GB.
  const listed = facts.storage >= 1024 ? (facts.storage / 1024) * 1000 : facts.storage;
  if (Math.abs(listed - largest) <= listed * STORAGE_TOLERANCE) return 'measured';
  return differs(listing, 'Storage', driveSize(listed), driveSize(largest));
}

function screenOutcome(listing: ListedConfiguration, { screen }: Machine): Comparison['outcome'] {
  const { facts } = listing;
  if (facts.screen === undefined) return withoutListedValue(listing, 'Display');
  if (screen === null) return 'not_read';
  if (Math.abs(facts.screen - screen.value.inches) <= SCREEN_TOLERANCE_INCHES) return 'measured';
  return differs(listing, 'Display', `${facts.screen}″`, `${screen.value.inches}″`);
}

/** The processor's family and generation are compared apart: a listing may name only the family. */
function processorOutcome(
  listing: ListedConfiguration,
  { processor }: Machine,
  fact: 'processor' | 'generation',
): Comparison['outcome'] {
  const listed = listing.facts[fact];
  if (listed === undefined) {
    const isFamilyRead = fact === 'generation' && listing.facts.processor !== undefined;
    return isFamilyRead ? 'not_listed' : withoutListedValue(listing, 'Processor');
  }
  if (processor === null) return 'not_read';
  const measured = readFacts({ Processor: processor.value })[fact];
  if (measured === undefined) return 'not_understood';
  if (measured === listed) return 'measured';
  return differs(listing, 'Processor', 'another processor', processor.value);
}

function graphicsOutcome(listing: ListedConfiguration, { graphics }: Machine): Comparison['outcome'] {
  const { facts } = listing;
  if (facts.graphics === undefined) return withoutListedValue(listing, 'Graphics');
  if (graphics.length === 0) return 'not_read';
  const kinds = graphics.map((name) => readFacts({ Graphics: name }).graphics);
  if (kinds.includes(facts.graphics)) return 'measured';
  // An adapter that is not understood may be the listed one.
  if (kinds.includes(undefined)) return 'not_understood';
  return differs(listing, 'Graphics', 'other graphics', graphics.join(', '));
}

/** The shop shows the battery that was read instead of the one that the seller wrote, so that the two need not agree. */
function batteryOutcome(listing: ListedConfiguration, { battery }: Machine): Comparison['outcome'] {
  if (battery !== null) return 'measured';
  return listing.facts.battery === undefined ? withoutListedValue(listing, 'Battery') : 'not_read';
}

/**
 * Compares the configuration of a listing with what the laptop reported, fact by fact. The operating system is left out,
 * because a laptop can be measured from a USB stick.
 */
export function compareFacts(listing: ListedConfiguration, machine: Machine): Comparison[] {
  return [
    { fact: 'processor', outcome: processorOutcome(listing, machine, 'processor') },
    { fact: 'generation', outcome: processorOutcome(listing, machine, 'generation') },
    { fact: 'memory', outcome: memoryOutcome(listing, machine) },
    { fact: 'storage', outcome: storageOutcome(listing, machine) },
    { fact: 'screen', outcome: screenOutcome(listing, machine) },
    { fact: 'graphics', outcome: graphicsOutcome(listing, machine) },
    { fact: 'battery', outcome: batteryOutcome(listing, machine) },
  ];
}

/** The comparisons without their texts. */
export const factComparisons = (comparisons: readonly Comparison[]): FactComparison[] =>
  comparisons.map(({ fact, outcome }) => {
    if (typeof outcome === 'object') return { fact, state: 'contradicted' };
    return outcome === 'measured'
      ? { fact, state: outcome }
      : { fact, state: 'not_compared', reason: outcome };
  });

/** The configuration fields that the laptop contradicts, each once. */
export function contradictionsOf(comparisons: readonly Comparison[]): Contradiction[] {
  const contradictions = comparisons.flatMap(({ outcome }) => (typeof outcome === 'object' ? [outcome] : []));
  return [...new Map(contradictions.map((each) => [each.field, each])).values()];
}

/** The configuration fields of a listing that the laptop contradicts. */
export const compareConfiguration = (listing: ListedConfiguration, machine: Machine): Contradiction[] =>
  contradictionsOf(compareFacts(listing, machine));

/**
 * What keeps a listing from counting as measured although nothing contradicts it, in sentences: its processor and its memory
 * must be read, known by name and exact, and what the listing says of them must be understood. Empty when nothing is missing.
 */
export function findMissing(
  comparisons: readonly FactComparison[],
  { processor, memory }: Pick<Machine, 'processor' | 'memory'>,
): string[] {
  const isUnclear = (wanted: ComparedFact) =>
    comparisons.some(
      (each) => each.fact === wanted && each.state === 'not_compared' && each.reason === 'listing_unclear',
    );
  const unclear = (['processor', 'memory'] as const).filter(isUnclear);
  return [
    ...(processor === null ? ['The laptop did not report its processor. Please measure again.'] : []),
    ...(processor !== null && readFacts({ Processor: processor.value }).processor === undefined
      ? [
          `The laptop reported the processor “${processor.value}”. The shop does not know this name, so it cannot be compared.`,
        ]
      : []),
    ...(memory === null ? ['The laptop did not report its memory. Please measure again.'] : []),
    ...(memory !== null && 'atLeast' in memory ? [boundAdvice(memory)] : []),
    ...unclear.map(
      (fact) =>
        `The listing’s words for the ${fact} could not be read as a value. Please choose one that the form offers.`,
    ),
  ];
}

/** Says why only a lower bound of the memory is known, and what the seller can do. */
const boundAdvice = ({ atLeast, source }: Extract<Memory, { atLeast: number }>): string =>
  source === 'system'
    ? `The memory is only known to be at least ${atLeast} GB, because the script had no administrator rights or the firmware does not list the modules. Run the command with sudo, as the page shows it.`
    : `The memory is only known to be at least ${atLeast} GB, because the firmware does not tell the size of every module.`;

/** A product's name without trademark signs, clock rate and generic words: `Intel Core i5-10310U`. */
function productName(reported: string): string {
  return reported
    .replace(/\((?:R|TM|C)\)|[®™]/gi, ' ')
    .replace(/\b\d{1,2}(?:st|nd|rd|th) Gen\b/i, ' ')
    .replace(/ @ [\d.]{1,6} ?[GM]Hz/i, ' ')
    .replace(/\b(?:CPU|Corporation)\b/g, ' ')
    .replace(/ (?:with|w\/) Radeon .{0,60}$| \d{1,3}-Core Processor$/i, ' ')
    .replace(/ {1,20}/g, ' ')
    .trim();
}

/** The shortest of some texts that says the same as the reported one; null when none of them is understood. */
function sameFacts(field: FactField, reported: string, texts: readonly string[]): string | null {
  const wanted = JSON.stringify(readFacts({ [field]: reported }));
  if (wanted === '{}') return null;
  return [...texts, reported].find((text) => JSON.stringify(readFacts({ [field]: text })) === wanted) ?? null;
}

function processorText({ processor }: Machine): string | null {
  return processor === null ? null : sameFacts('Processor', processor.value, [productName(processor.value)]);
}

/** The dedicated adapter if there is one, because buyers look for it. */
function graphicsText({ graphics }: Machine): string | null {
  const understood = graphics.flatMap((name) => {
    // `lspci` puts the product's name in brackets after the chip's.
    const [, maker = '', product = ''] = /^(\S{1,40}) [^[]{0,80}\[([^\]]{1,60})\]$/.exec(name) ?? [];
    const text = sameFacts('Graphics', name, [
      ...(product === '' ? [] : [`${maker} ${product}`]),
      productName(name),
    ]);
    return text === null ? [] : [text];
  });
  return (
    understood.find((text) => readFacts({ Graphics: text }).graphics !== 'integrated') ??
    understood[0] ??
    null
  );
}

const driveText = ({ gigabytes, kind }: Drive) =>
  [driveSize(gigabytes), kind].filter((part) => part !== null).join(' ');

/** All drives, the largest first. */
function storageText({ drives }: Machine): string | null {
  const largestFirst = [...drives].sort((one, other) => other.gigabytes - one.gigabytes);
  return drives.length === 0 ? null : largestFirst.slice(0, 4).map(driveText).join(' + ');
}

const inchesOf = (text: string) => readFacts({ Display: text }).screen ?? 0;

/** A lower bound is not filled in: the seller knows how much is installed. */
function installedText(machine: Machine): string | null {
  const gigabytes = measuredMemory(machine);
  return gigabytes === null ? null : `${gigabytes} GB`;
}

/** The diagonal under which such a screen is sold, as the form offers it. */
function displayText({ screen }: Machine): string | null {
  if (screen === null) return null;
  const { inches, width, height } = screen.value;
  const distance = (choice: string) => Math.abs(inchesOf(choice) - inches);
  const nearest = factChoices.Display.reduce((best, each) => (distance(each) < distance(best) ? each : best));
  const diagonal = distance(nearest) <= 0.15 ? nearest : `${inches}″`;
  return `${diagonal}, ${width} × ${height}`;
}

function batteryText({ battery }: Machine): string | null {
  if (battery === null) return null;
  const { designMwh, health } = battery.value;
  const share = `${health} % health`;
  return designMwh === null ? share : `${Math.round(designMwh / 1000)} Wh, ${share}`;
}

function systemText({ system }: Machine): string | null {
  return system === null
    ? null
    : sameFacts('Operating', system.value, [system.value.replace(/^Microsoft /, '')]);
}

/**
 * What a laptop reported, as texts for the configuration fields. Each is read back as what was measured; a value that
 * cannot be written so, or is unknown, is missing.
 */
export function measuredTexts(machine: Machine): Partial<Record<ConfigurationField, string>> {
  const texts: readonly (readonly [ConfigurationField, string | null])[] = [
    ['Processor', processorText(machine)],
    ['Graphics', graphicsText(machine)],
    ['Display', displayText(machine)],
    ['Memory', installedText(machine)],
    ['Storage', storageText(machine)],
    ['Battery', batteryText(machine)],
    ['Operating', systemText(machine)],
  ];
  const isReadable = ([field, text]: readonly [ConfigurationField, string | null]) => {
    if (text === null || text.length > 120) return false;
    const facts = readFacts({ [field]: text });
    return (
      Object.keys(facts).length > 0 &&
      compareConfiguration({ facts, description: { [field]: text } }, machine).length === 0
    );
  };
  return Object.fromEntries(texts.filter(isReadable));
}
