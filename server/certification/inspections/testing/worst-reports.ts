// Reports that are as slow to read as their length allows, to show that the time of reading has a bound.
import { MAXIMUM_REPORT_CHARACTERS, type MeasuredSystem } from '#contract/certification/inspections.ts';

/** Writes a report as the scripts do. */
export function writeReport(
  system: MeasuredSystem,
  sections: Readonly<Record<string, string>>,
  code = '0000-0000-0000',
): string {
  return [
    'laptop-report 1',
    `code ${code}`,
    `system ${system}`,
    ...Object.entries(sections).flatMap(([name, content]) => [
      `== ${name}`,
      ...content.split('\n').map((line) => `\t${line}`),
    ]),
    '== end',
    '',
  ].join('\n');
}

type Fill = (length: number) => string;

const repeated =
  (part: string): Fill =>
  (length) =>
    part.repeat(Math.floor(length / part.length));

/** A text that every search for it compares nearly to its end, in a text of the same character. */
const nearMiss: Fill = (length) => {
  const half = 'a'.repeat(Math.floor(length / 2));
  return `${half}b${half}`;
};

/** Texts that make expressions, searches and parsers slow: long runs, many lines, deep nesting. */
const texts: Readonly<Record<string, Fill>> = {
  letters: repeated('a'),
  spaces: repeated(' '),
  'spaces before a letter': (length) => `x${' '.repeat(length - 2)}x`,
  'no-break spaces': repeated('\u00a0'),
  tabs: repeated('\t'),
  digits: repeated('1'),
  'digits with signs': repeated('_1'),
  quotes: repeated('"'),
  'escaped quotes': repeated('\\"'),
  brackets: repeated('['),
  'closed brackets': repeated('[]'),
  'nested lists': (length) => `${'['.repeat(length / 2)}${']'.repeat(length / 2)}`,
  'nested objects': (length) => `${'{"a":'.repeat(length / 6)}1${'}'.repeat(length / 6)}`,
  'many items': (length) => `[${'{},'.repeat(length / 3 - 1)}{}]`,
  'hexadecimal pairs': repeated('11 '),
  'memory modules': repeated('11 0e 00 00 00 00 00 00 00 00 00 00 00 20 00 00 '),
  'short lines': repeated('a: b\n'),
  'empty lines': repeated('\n'),
  'graphics adapters': repeated('[0300]: '),
  'graphics adapters in lines': repeated('00:02.0 VGA [0300]: A [B] [1:2]\n'),
  'quoted fields': repeated('"VGA compatible controller [0300]" '),
  'screens in lines': repeated('display\\a\\b\\device parameters\n00 ff\n'),
};

/** Valid content of the sections in JSON, from which slow content is made. */
const documents: Readonly<Record<string, unknown>> = {
  // Windows
  product: [{ Vendor: 'LENOVO', Name: '20S0', Version: 'ThinkPad', IdentifyingNumber: 'PF3ABCDE' }],
  drives: [{ DeviceId: '0', FriendlyName: 'A', MediaType: 'SSD', BusType: 'NVMe', Size: 512e9 }],
  'drive-wear': [{ DeviceId: '0', Wear: 3, PowerOnHours: 2110 }],
  graphics: [{ Name: 'Intel(R) UHD Graphics' }],
  'screen-connection': [{ InstanceName: 'DISPLAY\\A\\B_0', VideoOutputTechnology: 11 }],
  // macOS
  hardware: { SPHardwareDataType: [{ machine_name: 'MacBook', serial_number: 'C02ABCDEF' }] },
  storage: { SPNVMeDataType: [{ _items: [{ _name: 'A', device_serial: 'B', size_in_bytes: 256e9 }] }] },
  displays: { SPDisplaysDataType: [{ sppci_model: 'Apple M1' }] },
  power: {
    SPPowerDataType: [{ sppower_battery_health_info: { sppower_battery_health_maximum_capacity: '97%' } }],
  },
  // Windows has a list, macOS an object.
  memory: [{ Capacity: 8589934592, ConfiguredClockSpeed: 2667, SMBIOSMemoryType: 26 }],
  // Linux
  'smart/nvme0n1': {
    smart_status: { passed: true },
    ata_device_statistics: { pages: [{ number: 7, table: [] }] },
  },
};

/** A document with each text replaced, lists repeated, or members added. */
function change(
  value: unknown,
  edit: { text?: Fill; items?: number; members?: number; size: number },
): unknown {
  if (typeof value === 'string') return edit.text === undefined ? value : edit.text(edit.size);
  if (Array.isArray(value)) {
    const items = value.map((item) => change(item, edit));
    return Array.from({ length: edit.items ?? 1 }).flatMap(() => items);
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, item]) => [key, change(item, edit)]);
  const added = Array.from({ length: edit.members ?? 0 }, (_, index) => [`k${index}`, index]);
  return Object.fromEntries([...members, ...added]);
}

/** A document whose lists are as long as its length allows. */
function repeatItems(document: unknown, length: number): string {
  let longest = JSON.stringify(document);
  for (let items = 2; longest.length < length / 2; items *= 2) {
    const text = JSON.stringify(change(document, { items, size: 0 }));
    if (text === longest || text.length > length) break;
    longest = text;
  }
  return longest;
}

/** The number of texts in a document. */
function countTexts(value: unknown): number {
  if (typeof value === 'string') return 1;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, item: unknown) => sum + countTexts(item), 0);
}

/** A document with `items` items in each list, whose texts have the length together. */
function fillTexts(
  document: unknown,
  { text, items, length }: { text: Fill; items: number; length: number },
) {
  const count = countTexts(change(document, { items, size: 0 }));
  return JSON.stringify(change(document, { text, items, size: Math.floor(length / (count + 1)) }));
}

/** Slow content in the shape that a section in JSON has. */
function slowDocuments(document: unknown, length: number): Record<string, string> {
  return {
    ...Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [
        `texts of ${name}`,
        fillTexts(document, { text, items: 1, length: length / 2 }),
      ]),
    ),
    'many items of its own': repeatItems(document, length),
    'many members': JSON.stringify(change(document, { members: Math.floor(length / 100), size: 0 })),
  };
}

/** The length of all sections that leaves room for the rest of the report. */
const ROOM = MAXIMUM_REPORT_CHARACTERS - 20_000;
/** The scripts cut each section at this length. */
const LONGEST_SECTION = 131_072;

/** Cuts a text so that, with a tab for each line, it has at most `length` characters. */
const withinLength = (text: string, length: number) =>
  text.length + text.split('\n').length > length ? text.slice(0, length / 2) : text;

/**
 * The slow reports of a system: each section alone, and all sections together, which share the maximum length of a report.
 * @param names the sections that the system's reader asks for
 */
export function* worstReports(
  system: MeasuredSystem,
  names: readonly string[],
): Generator<{ title: string; report: string }> {
  const slow = (name: string, length: number): Record<string, string> => ({
    ...Object.fromEntries(Object.entries(texts).map(([title, fill]) => [title, fill(length)])),
    ...(documents[name] !== undefined && slowDocuments(documents[name], length)),
  });
  for (const name of names) {
    for (const [title, content] of Object.entries(slow(name, LONGEST_SECTION))) {
      const report = writeReport(system, { [name]: withinLength(content, LONGEST_SECTION) });
      yield { title: `${name}: ${title}`, report };
    }
  }
  const share = Math.floor(ROOM / names.length);
  for (const [title, fill] of Object.entries(texts)) {
    const sections = names.map((name) => [name, withinLength(fill(share), share)]);
    yield { title: `all sections: ${title}`, report: writeReport(system, Object.fromEntries(sections)) };
  }
  yield* nearMisses(system, names);
}

/** Reports in which a reader that searches one section for the texts of another compares them nearly to their ends. */
function* nearMisses(system: MeasuredSystem, names: readonly string[]): ReturnType<typeof worstReports> {
  for (const [needles, document] of Object.entries(documents)) {
    for (const [name, items] of names.flatMap((each) => [[each, 1] as const, [each, 32] as const])) {
      if (!names.includes(needles) || name === needles) continue;
      const content = fillTexts(document, { text: nearMiss, items, length: ROOM / 2 });
      // Nested lists multiply the items.
      if (content.length > ROOM / 2) continue;
      const sections = { [needles]: content, [name]: 'a'.repeat(ROOM / 2) };
      yield { title: `${items} texts of ${needles} in ${name}`, report: writeReport(system, sections) };
    }
  }
}
