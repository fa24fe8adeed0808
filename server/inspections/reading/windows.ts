import * as z from 'zod';
import type { Drive, LockState } from '#contract/machine.ts';
import { combineBatteries } from './battery.ts';
import { parseHexDump, readEdid, type Screen } from './edid.ts';
import { from, type SystemReading } from './machine-reading.ts';
import { type ReportedModule, toModules, totalGigabytes } from './memory-modules.ts';
import { boardName } from './smbios.ts';
import { driveGigabytes, maskSerial, parseJson, toInteger, toLine, toSerial } from './values.ts';

type Sections = ReadonlyMap<string, string>;

/** WMI writes numbers as numbers or, of 64 bits, as texts. */
const WmiNumber = z.union([z.number(), z.string()]).nullish();
const WmiText = z.union([z.string(), z.number()]).nullish();

const Product = z.object({ Vendor: WmiText, Name: WmiText, Version: WmiText, IdentifyingNumber: WmiText });
const Board = z.object({ Manufacturer: WmiText, Product: WmiText, SerialNumber: WmiText });
const Named = z.object({ Name: WmiText });
const MemoryModule = z.object({
  Capacity: WmiNumber,
  ConfiguredClockSpeed: WmiNumber,
  SMBIOSMemoryType: WmiNumber,
});
const PhysicalDisk = z.object({
  DeviceId: WmiText,
  FriendlyName: WmiText,
  MediaType: WmiText,
  BusType: WmiText,
  Size: WmiNumber,
  SerialNumber: WmiText,
  HealthStatus: WmiText,
});
const DriveWear = z.object({ DeviceId: WmiText, Wear: WmiNumber, PowerOnHours: WmiNumber });
const System = z.object({ Caption: WmiText });
const Autopilot = z.object({ CloudAssignedTenantDomain: WmiText });
const LenovoPasswords = z.object({ PasswordState: WmiNumber });

/** The objects of a section that have the expected shape; a laptop has few of each. */
function objects<Schema extends z.ZodType>(
  sections: Sections,
  name: string,
  schema: Schema,
): z.output<Schema>[] {
  const value = parseJson(sections.get(name));
  if (!Array.isArray(value)) return [];
  return value.slice(0, 32).flatMap((item: unknown) => {
    const parsed = schema.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
}

const lineOf = (value: string | number | null | undefined) => toLine(value?.toString());
const serialOf = (value: string | number | null | undefined) => toSerial(value?.toString());

/** Windows names kinds by word, or by number on older versions. */
function driveKind(mediaType: string | null, busType: string | null): Drive['kind'] {
  if (busType === 'SD' || busType === 'MMC') return 'eMMC';
  if (mediaType === 'SSD' || mediaType === '4' || busType === 'NVMe') return 'SSD';
  return mediaType === 'HDD' || mediaType === '3' ? 'HDD' : null;
}

function readDrives(sections: Sections): { drives: Drive[]; serials: string[] } {
  const wear = objects(sections, 'drive-wear', DriveWear);
  const found = objects(sections, 'drives', PhysicalDisk).filter((disk) => lineOf(disk.BusType) !== 'USB');
  const drives = found.flatMap((disk): Drive[] => {
    const gigabytes = driveGigabytes(toInteger(disk.Size, 1, Number.MAX_SAFE_INTEGER));
    if (gigabytes === null) return [];
    const counter = wear.find((each) => each.DeviceId?.toString() === disk.DeviceId?.toString());
    const health = lineOf(disk.HealthStatus);
    return [
      {
        model: lineOf(disk.FriendlyName) ?? 'Drive',
        gigabytes,
        kind: driveKind(lineOf(disk.MediaType), lineOf(disk.BusType)),
        hours: toInteger(counter?.PowerOnHours, 1, 500_000),
        wear: toInteger(counter?.Wear, 0, 255),
        healthy: health === null ? null : health === 'Healthy',
      },
    ];
  });
  return { drives, serials: found.flatMap((disk) => serialOf(disk.SerialNumber) ?? []) };
}

function readBattery(sections: Sections) {
  const design = objects(sections, 'battery-design', z.object({ DesignedCapacity: WmiNumber }));
  const full = objects(sections, 'battery-full', z.object({ FullChargedCapacity: WmiNumber }));
  const cycles = objects(sections, 'battery-cycles', z.object({ CycleCount: WmiNumber }));
  return combineBatteries(
    design.flatMap(({ DesignedCapacity }, index) => {
      const designMwh = toInteger(DesignedCapacity, 1, 1_000_000);
      const fullMwh = toInteger(full[index]?.FullChargedCapacity, 1, 1_000_000);
      if (designMwh === null || fullMwh === null) return [];
      return [{ designMwh, fullMwh, cycles: toInteger(cycles[index]?.CycleCount, 1, 10_000) }];
    }),
  );
}

/** The connections of a laptop's own screen (D3DKMDT_VIDEO_OUTPUT_TECHNOLOGY): LVDS, embedded DisplayPort, UDI, internal. */
const internalConnections = [6, 11, 13, 0x80000000, -0x80000000];

/** Two lines for each screen that was ever connected. */
const MAXIMUM_EDID_LINES = 500;

/** Windows limits the name of a device's instance to 200 characters (MAX_DEVICE_ID_LEN). */
const ScreenConnection = z.object({
  InstanceName: z.string().min(1).max(300),
  VideoOutputTechnology: z.number(),
});

/** The registry keeps the EDID of each screen that was ever connected; the one of an internal connection is read. */
function readScreen(sections: Sections): Screen | null {
  const internal = objects(sections, 'screen-connection', ScreenConnection)
    .filter((each) => internalConnections.includes(each.VideoOutputTechnology))
    // WMI appends "_0" to the device's path.
    .map((each) => `\\${each.InstanceName.replace(/_\d+$/, '').toLowerCase()}\\device parameters`);
  const lines = (sections.get('edids') ?? '').split('\n', MAXIMUM_EDID_LINES);
  for (const [index, line] of lines.entries()) {
    const path = line.trim().toLowerCase();
    // Not `includes`: on long texts that nearly match, it takes time by the product of their lengths.
    if (!internal.some((key) => path.endsWith(key))) continue;
    const bytes = parseHexDump(lines[index + 1] ?? '');
    const screen = bytes === null ? null : readEdid(bytes);
    if (screen !== null) return screen;
  }
  return null;
}

const readModules = (sections: Sections): ReportedModule[] =>
  objects(sections, 'memory', MemoryModule).map((module) => ({
    megabytes: (toInteger(module.Capacity, 1, 2 ** 42) ?? 0) / 2 ** 20,
    kind: toInteger(module.SMBIOSMemoryType, 0, 255),
    speed: toInteger(module.ConfiguredClockSpeed, 1, 100_000),
  }));

/** Membership in an organization is a positive finding; its absence proves nothing. */
function readManagement(sections: Sections): LockState {
  const joined = /\b(?:AzureAdJoined|DomainJoined|EnterpriseJoined) ?: ?YES\b/.test(
    sections.get('join-state') ?? '',
  );
  const assigned = objects(sections, 'autopilot', Autopilot).some(
    ({ CloudAssignedTenantDomain }) => lineOf(CloudAssignedTenantDomain) !== null,
  );
  if (joined || assigned) return 'locked';
  return sections.has('join-state') ? 'not_found' : 'unknown';
}

/** Lenovo's password state is a sum of flags: 1 power-on, 2 supervisor. */
function readFirmwarePassword(sections: Sections): LockState {
  const [settings] = objects(sections, 'lenovo-passwords', LenovoPasswords);
  const state = toInteger(settings?.PasswordState, 0, 65_535);
  if (state === null) return 'unknown';
  return (state & 3) === 0 ? 'not_found' : 'locked';
}

/** Reads a report of `inspect/windows.ps1`. What is missing or not understood is unknown. */
export function readWindowsReport(sections: Sections): SystemReading {
  const [product] = objects(sections, 'product', Product);
  const maker = lineOf(product?.Vendor);
  // Lenovo's name is a type number; its version is the name that people know.
  const isLenovo = /^lenovo$/i.test(maker ?? '');
  const model = (isLenovo ? lineOf(product?.Version) : null) ?? lineOf(product?.Name);
  const serial = serialOf(product?.IdentifyingNumber);
  const [board] = objects(sections, 'board', Board);
  const modules = readModules(sections);
  const { drives, serials } = readDrives(sections);
  const date = sections.get('firmware-date');
  return {
    machine: {
      maker: from('firmware', maker),
      model: from('firmware', model),
      serial: from('firmware', serial === null ? null : maskSerial(serial)),
      board: from('firmware', boardName(lineOf(board?.Manufacturer), lineOf(board?.Product))),
      firmwareDate: from('firmware', /^20\d\d-\d\d-\d\d$/.test(date ?? '') ? (date ?? null) : null),
      processor: from('system', lineOf(objects(sections, 'processor', Named)[0]?.Name)),
      memory: from('firmware', totalGigabytes(modules)),
      memoryModules: from('firmware', toModules(modules)),
      drives,
      screen: from('screen', readScreen(sections)),
      graphics: objects(sections, 'graphics', Named)
        .flatMap(({ Name }) => lineOf(Name) ?? [])
        .slice(0, 4),
      system: from('system', lineOf(objects(sections, 'system', System)[0]?.Caption)),
      battery: from('battery', readBattery(sections)),
      locks: {
        firmwarePassword: readFirmwarePassword(sections),
        absolute: 'unknown',
        management: readManagement(sections),
        activationLock: 'unknown',
      },
    },
    identity: {
      maker,
      serial,
      boardSerial: serialOf(board?.SerialNumber),
      driveSerials: serials,
    },
  };
}
