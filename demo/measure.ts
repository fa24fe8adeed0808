import { createHash } from 'node:crypto';
import { type CheckName, checkNames, submitBrowserCheck } from '#contract/certification/browser-checks.ts';
import {
  type Checklist,
  type ChecklistItem,
  evidenceOf,
  type InspectionKind,
} from '#contract/certification/checklist.ts';
import {
  decideInspection,
  type InspectionCase,
  readInspection,
} from '#contract/certification/inspection-queue.ts';
import { createMeasurementCode, submitReport } from '#contract/certification/inspections.ts';
import { listOwnLaptops } from '#contract/listings/catalogue.ts';
import { readFacts } from '#contract/listings/facts.ts';
import type { Client } from '#contract/platform/client.ts';
import { type DemoLaptop, demoLaptops } from './laptops.ts';
import { memoryTable } from './memory-table.ts';
import { screenEdid } from './screen-edid.ts';

/** The laptops that the shop inspects after their sellers measured them, and how. */
const inspected = new Map<string, InspectionKind>([
  ['Dell Latitude 7420', 'hand'],
  ['Dell Latitude 7450', 'photos'],
  ['HP EliteBook 830 G10', 'photos'],
  ['HP EliteBook 840 G8', 'photos'],
]);

/** The laptop whose seller makes the tests in the browser, all but those of the camera and of a touch screen. */
const testedLaptop = 'HP EliteBook 830 G10';

/** The laptop on which a lock is found, so that it is not for sale. */
export const lockedLaptop = 'HP EliteBook 840 G5';

/** The laptops that their sellers measure, among them those on the home page. */
const measured = new Set([
  ...inspected.keys(),
  ...demoLaptops.filter(({ advertised }) => advertised).map(({ name }) => name),
  lockedLaptop,
  ...['Dell Latitude 5430', 'Acer Swift 5 SF514-56T', 'HP ProBook 450 G10', 'HP EliteBook 845 G10'],
  ...['Acer Nitro 5 AN515-58', 'Dell Precision 5680'],
  // Its battery has 83 % left, less than the condition Excellent needs: the measurement contradicts the listing.
  'Dell Precision 5560',
]);

/** Microwatt-hours and charge cycles of a battery, such as `53 Wh, 91% of its capacity left`. */
function batteryCounters(text: string): { design: number; full: number; cycles: number } {
  const [, wattHours, percent] = /^(\d+) Wh, (\d+)%/.exec(text) ?? [];
  const design = Number(wattHours) * 1_000_000;
  return {
    design,
    full: Math.round((design * Number(percent)) / 100),
    // A usual battery loses a fifth within 500 cycles.
    cycles: (100 - Number(percent)) * 25,
  };
}

/** How the serial numbers of the makers begin. */
const serialBeginnings: Readonly<Record<DemoLaptop['brand'], string>> = { HP: '5CG', Dell: '', Acer: 'NXH' };

/** A serial number that no other demo laptop has. */
const serialOf = ({ name, brand }: Pick<DemoLaptop, 'name' | 'brand'>) =>
  `${serialBeginnings[brand]}${createHash('sha256').update(name).digest('hex').slice(0, 7).toUpperCase()}`;

/** A mainboard's number, as HP writes them. */
const boardOf = (name: string) => createHash('sha256').update(name).digest('hex').slice(0, 4).toUpperCase();

/** Hours and wear of a drive, in the shape of `smartctl --json`. */
const driveHealth = (cycles: number) =>
  JSON.stringify({
    smart_status: { passed: true },
    power_on_time: { hours: cycles * 9 },
    nvme_smart_health_information_log: { percentage_used: Math.round(cycles / 60) },
  });

/** The report that the script for Linux would send from a laptop as it is listed. */
function reportOf({ name, brand, configuration }: DemoLaptop, code: string): string {
  const { storage = 0 } = readFacts(configuration);
  const { design, full, cycles } = batteryCounters(configuration.Battery);
  const bytes = storage >= 1024 ? (storage / 1024) * 1e12 : storage * 1e9;
  const [maker = '', ...product] = configuration.Graphics.split(',')[0]?.split(' ') ?? [];
  const sections = {
    'dmi/sys_vendor': brand,
    'dmi/product_name': name,
    'dmi/product_serial': serialOf({ name, brand }),
    'dmi/board_vendor': brand,
    'dmi/board_name': boardOf(name),
    'dmi/bios_date': '05/14/2026',
    cpuinfo: `model name\t: ${configuration.Processor.split(',')[0]}`,
    smbios: memoryTable(configuration.Memory),
    'os-release': 'PRETTY_NAME="Ubuntu 24.04.1 LTS"',
    'battery/BAT0/energy_full_design': String(design),
    'battery/BAT0/energy_full': String(full),
    'battery/BAT0/cycle_count': String(cycles),
    'edid/card0-eDP-1': screenEdid(configuration.Display),
    lspci: `00:02.0 "VGA compatible controller [0300]" "${maker} [8086]" "${product.join(' ')} [9a49]"`,
    'drive/nvme0n1/size': String(bytes / 512),
    'drive/nvme0n1/queue/rotational': '0',
    'drive/nvme0n1/device/model': 'KXG60ZNV NVMe',
    'smart/nvme0n1': driveHealth(cycles),
    'firmware/demo/authentication/Admin/is_enabled': name === lockedLaptop ? '1' : '0',
  };
  const lines = Object.entries(sections).flatMap(([section, content]) => [`== ${section}`, `\t${content}`]);
  return ['laptop-report 1', `code ${code}`, 'system linux', ...lines, '== end', ''].join('\n');
}

const skippedTests: readonly CheckName[] = ['camera', 'touch'];

/** Tests of a browser that hides what it knows of the machine. */
const browserCheck = {
  results: checkNames.map((name) => ({
    name,
    outcome: skippedTests.includes(name) ? ('skipped' as const) : ('passed' as const),
    note: null,
  })),
  browser: { renderer: null, memory: null, screen: null },
};

/** Measures the chosen laptops of a seller that have not been measured. */
export async function measureLaptops(seller: Client): Promise<void> {
  const own = await seller.call(listOwnLaptops, { query: {} });
  for (const { _id: laptopId, name, level, state } of own) {
    const laptop = demoLaptops.find((demo) => demo.name === name);
    if (laptop === undefined || !measured.has(name) || level !== 'word' || state !== 'Available') continue;
    const { code } = await seller.call(createMeasurementCode, { params: { _id: laptopId } });
    await seller.call(submitReport, { body: { laptopId, report: reportOf(laptop, code) } });
    if (name === testedLaptop) await seller.call(submitBrowserCheck, { body: { code, ...browserCheck } });
  }
}

/** The answers of an inspection of this kind: from photos, what no photo and no test shows is not checked. */
function answersTo({ photoKinds, check }: InspectionCase, kind: InspectionKind): Checklist {
  const answer = (item: ChecklistItem) =>
    kind === 'hand' || evidenceOf(item, { photoKinds, check }).isEnough ? 'met' : 'unchecked';
  return {
    ...{ photos: answer('photos'), slip: answer('slip'), marks: answer('marks'), body: answer('body') },
    ...{ screen: answer('screen'), keyboard: answer('keyboard'), touchpad: answer('touchpad') },
    ...{ camera: answer('camera'), sound: answer('sound'), price: answer('price') },
  };
}

/**
 * Approves the chosen laptops of a seller that wait for it.
 * @param uploadShopPhotos uploads photos by the shop of a laptop in hand, and returns their URLs
 */
export async function inspectLaptops(
  admin: Client,
  seller: Client,
  uploadShopPhotos: (laptop: DemoLaptop) => Promise<string[]>,
): Promise<void> {
  const own = await seller.call(listOwnLaptops, { query: {} });
  for (const { _id, name, level, condition: grade } of own) {
    const kind = inspected.get(name);
    const laptop = demoLaptops.find((demo) => demo.name === name);
    if (kind === undefined || laptop === undefined || level !== 'measured') continue;
    const inspectionCase = await admin.call(readInspection, { params: { _id } });
    const { version, measurement } = inspectionCase;
    await admin.call(decideInspection, {
      params: { _id },
      body: {
        ...{ version, grade, measurementId: measurement._id, kind, decision: 'approved' },
        checklist: answersTo(inspectionCase, kind),
        photos: kind === 'hand' ? await uploadShopPhotos(laptop) : [],
      },
    });
  }
}
