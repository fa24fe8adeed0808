// Compares the configuration of a listing with what the laptop reported, and writes it for the form.

import { type FactField, type Facts, factChoices, readFacts } from './facts.ts';
import type { Contradiction } from './inspections.ts';
import type { ConfigurationField } from './laptop-schemas.ts';
import type { Drive, Machine } from './machine.ts';

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

const formatGigabytes = (gigabytes: number) =>
  gigabytes >= 1000 ? `${Math.round(gigabytes / 100) / 10} TB` : `${gigabytes} GB`;

/** A field of the listing in the seller's words; a description in one text is not repeated. */
function inWords({ description }: ListedConfiguration, field: FactField, fallback: string): string {
  return (typeof description === 'string' ? undefined : description[field]) ?? fallback;
}

function compareMemory(listing: ListedConfiguration, { memory }: Machine): Contradiction[] {
  const { facts } = listing;
  if (facts.memory === undefined || memory === null || facts.memory === memory.value) return [];
  return [
    {
      field: 'Memory',
      listed: inWords(listing, 'Memory', `${facts.memory} GB`),
      measured: `${memory.value} GB`,
    },
  ];
}

function compareStorage(listing: ListedConfiguration, { drives }: Machine): Contradiction[] {
  const { facts } = listing;
  const largest = Math.max(0, ...drives.map((drive) => drive.gigabytes));
  if (facts.storage === undefined || largest === 0) return [];
  // Listings give 1 TB as 1024 GB.
  const listed = facts.storage >= 1024 ? (facts.storage / 1024) * 1000 : facts.storage;
  if (Math.abs(listed - largest) <= listed * STORAGE_TOLERANCE) return [];
  return [
    {
      field: 'Storage',
      listed: inWords(listing, 'Storage', formatGigabytes(listed)),
      measured: formatGigabytes(largest),
    },
  ];
}

function compareScreen(listing: ListedConfiguration, { screen }: Machine): Contradiction[] {
  const { facts } = listing;
  if (facts.screen === undefined || screen === null) return [];
  if (Math.abs(facts.screen - screen.value.inches) <= SCREEN_TOLERANCE_INCHES) return [];
  return [
    {
      field: 'Display',
      listed: inWords(listing, 'Display', `${facts.screen}″`),
      measured: `${screen.value.inches}″`,
    },
  ];
}

function compareProcessor(listing: ListedConfiguration, { processor }: Machine): Contradiction[] {
  const { facts } = listing;
  if (processor === null) return [];
  const measured = readFacts({ Processor: processor.value });
  const differs = (name: 'processor' | 'generation') =>
    facts[name] !== undefined && measured[name] !== undefined && facts[name] !== measured[name];
  if (!differs('processor') && !differs('generation')) return [];
  return [
    {
      field: 'Processor',
      listed: inWords(listing, 'Processor', 'another processor'),
      measured: processor.value,
    },
  ];
}

function compareGraphics(listing: ListedConfiguration, { graphics }: Machine): Contradiction[] {
  const { facts } = listing;
  if (facts.graphics === undefined || graphics.length === 0) return [];
  const kinds = graphics.map((name) => readFacts({ Graphics: name }).graphics);
  // An adapter that is not understood may be the listed one.
  if (kinds.includes(undefined) || kinds.includes(facts.graphics)) return [];
  return [
    {
      field: 'Graphics',
      listed: inWords(listing, 'Graphics', 'other graphics'),
      measured: graphics.join(', '),
    },
  ];
}

/** The configuration fields of a listing that the laptop contradicts. The operating system and the battery are not compared. */
export function compareConfiguration(listing: ListedConfiguration, machine: Machine): Contradiction[] {
  return [
    ...compareMemory(listing, machine),
    ...compareStorage(listing, machine),
    ...compareScreen(listing, machine),
    ...compareProcessor(listing, machine),
    ...compareGraphics(listing, machine),
  ];
}

/**
 * Whether a laptop reported its processor and its memory. Every system reports both, also without administrator rights; a
 * report without them says too little for a listing to count as measured.
 */
export const hasCoreValues = ({ processor, memory }: Machine): boolean =>
  processor !== null && memory !== null;

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
  [formatGigabytes(gigabytes), kind].filter((part) => part !== null).join(' ');

/** All drives, the largest first. */
function storageText({ drives }: Machine): string | null {
  const largestFirst = [...drives].sort((one, other) => other.gigabytes - one.gigabytes);
  return drives.length === 0 ? null : largestFirst.slice(0, 4).map(driveText).join(' + ');
}

const inchesOf = (text: string) => readFacts({ Display: text }).screen ?? 0;

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
    ['Memory', machine.memory === null ? null : `${machine.memory.value} GB`],
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
