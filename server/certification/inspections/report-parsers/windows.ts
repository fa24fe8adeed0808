import * as z from 'zod';
import type { Battery, DeviceLockState, Drive } from '#contract/certification/machine.ts';
import { type BatteryCounter, combineBatteries } from './battery.ts';
import { readMainScreen, type Screen } from './edid.ts';
import { type SystemReading, valueFrom } from './machine-reading.ts';
import { installedMemory, type ReportedModule, toModules } from './memory-modules.ts';
import { boardName, modelName } from './smbios.ts';
import {
  driveGigabytes,
  maskSerial,
  parseJson,
  toInteger,
  toLine,
  toProcessorName,
  toSerial,
} from './values.ts';

type Sections = ReadonlyMap<string, string>;

/** WMI writes numbers as numbers or, of 64 bits, as texts. */
const WmiNumber = z.union([z.number(), z.string()]).nullish();
const WmiText = z.union([z.string(), z.number()]).nullish();

const Product = z.object({ Vendor: WmiText, Name: WmiText, Version: WmiText, IdentifyingNumber: WmiText });
const Board = z.object({ Manufacturer: WmiText, Product: WmiText, SerialNumber: WmiText });
const Named = z.object({ Name: WmiText });
const DisplayAdapter = z.object({ Name: WmiText, PNPDeviceID: WmiText });
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

/** A section's content without the lines of commands that failed; undefined when the script wrote no such section. */
function contentOf(sections: Sections, name: string): string | undefined {
  const lines = sections.get(name)?.split('\n');
  return lines?.filter((line) => !line.startsWith('error: ')).join('\n');
}

/** The objects of a section that have the expected shape; a laptop has few of each. */
function objects<Schema extends z.ZodType>(
  sections: Sections,
  name: string,
  schema: Schema,
): z.output<Schema>[] {
  const value = parseJson(contentOf(sections, name));
  if (!Array.isArray(value)) return [];
  return value.slice(0, 32).flatMap((item: unknown) => {
    const parsed = schema.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
}

const lineOf = (value: string | number | null | undefined) => toLine(value?.toString());
const serialOf = (value: string | number | null | undefined) => toSerial(value?.toString());

/**
 * The connections of a laptop's own drives (STORAGE_BUS_TYPE of ntddstor.h), by word, or by number as older versions of
 * Windows write them. Behind RAID are also NVMe drives on Intel's VMD. USB, SD cards, iSCSI, Storage Spaces and mounted disk
 * images are not the laptop's. SAS, SCSI and unknown ones are not certain to be.
 */
const internalBuses = new Map([
  ['3', 'ATA'],
  ['8', 'RAID'],
  ['11', 'SATA'],
  ['13', 'MMC'],
  ['17', 'NVMe'],
  ['19', 'UFS'],
]);
const internalBusNames = new Set(internalBuses.values());

/** The bus of a drive of the laptop; null for any other drive. */
function internalBus(busType: string | undefined): string | null {
  if (busType === undefined) return null;
  return internalBusNames.has(busType) ? busType : (internalBuses.get(busType) ?? null);
}

/** Windows names kinds by word, or by number on older versions. */
function driveKind(mediaType: string | undefined, bus: string): Drive['kind'] {
  if (bus === 'MMC') return 'eMMC';
  if (mediaType === 'SSD' || mediaType === '4' || bus === 'NVMe') return 'SSD';
  return mediaType === 'HDD' || mediaType === '3' ? 'HDD' : null;
}

/** Windows' verdict, by word or number: 0 healthy, 1 warning, 2 unhealthy. Any other is unknown. */
function isHealthy(status: string | undefined): boolean | null {
  if (status === 'Healthy' || status === '0') return true;
  return status !== undefined && ['Warning', 'Unhealthy', '1', '2'].includes(status) ? false : null;
}

function readDrives(sections: Sections): { drives: Drive[]; serials: string[] } {
  const wear = objects(sections, 'drive-wear', DriveWear);
  const found = objects(sections, 'drives', PhysicalDisk).flatMap((disk) => {
    // Not a line: the number 11 would be a placeholder.
    const bus = internalBus(disk.BusType?.toString());
    return bus === null ? [] : [{ disk, bus }];
  });
  const drives = found.flatMap(({ disk, bus }): Drive[] => {
    const gigabytes = driveGigabytes(toInteger(disk.Size, 1, Number.MAX_SAFE_INTEGER));
    if (gigabytes === null) return [];
    const counter = wear.find((each) => each.DeviceId?.toString() === disk.DeviceId?.toString());
    return [
      {
        model: lineOf(disk.FriendlyName) ?? 'Drive',
        gigabytes,
        kind: driveKind(disk.MediaType?.toString(), bus),
        hours: toInteger(counter?.PowerOnHours, 1, 500_000),
        wear: toInteger(counter?.Wear, 0, 255),
        healthy: isHealthy(disk.HealthStatus?.toString()),
      },
    ];
  });
  return { drives, serials: found.flatMap(({ disk }) => serialOf(disk.SerialNumber) ?? []) };
}

const Instance = z.object({ InstanceName: z.string().nullish() });
const BatteryDesign = Instance.extend({ DesignedCapacity: WmiNumber });
const BatteryFull = Instance.extend({ FullChargedCapacity: WmiNumber });
const BatteryCycles = Instance.extend({ CycleCount: WmiNumber });
const BatteryReport = z.object({
  LongTerm: z.string(),
  RelativeCapacity: z.string(),
  DesignCapacity: WmiNumber,
  FullChargeCapacity: WmiNumber,
  CycleCount: WmiNumber,
});

/** Some batteries report percentages instead of milliwatt-hours. */
const MINIMUM_DESIGN_MWH = 1000;

/** A battery's counter; null without both capacities. A cycle count of 0 is written by batteries that do not count. */
function toCounter(
  design: z.output<typeof WmiNumber>,
  full: z.output<typeof WmiNumber>,
  cycles: z.output<typeof WmiNumber>,
): BatteryCounter | null {
  const designMwh = toInteger(design, MINIMUM_DESIGN_MWH, 1_000_000);
  const fullMwh = toInteger(full, 1, 1_000_000);
  if (designMwh === null || fullMwh === null) return null;
  return { designMwh, fullMwh, cycles: toInteger(cycles, 1, 10_000) };
}

/** Finds the object of an instance; undefined when several have this name. */
function ofInstance<Item extends z.output<typeof Instance>>(items: readonly Item[], name: string) {
  const found = items.filter((each) => (each.InstanceName ?? '') === name);
  return found.length === 1 ? found[0] : undefined;
}

/**
 * The batteries of WMI: Windows reports each value in a class of its own, in any order. A class can lack a battery that another
 * one has.
 * @param design name of the section
 */
function readWmiBatteries(sections: Sections, design: string): (BatteryCounter | null)[] {
  const designs = objects(sections, design, BatteryDesign);
  const full = objects(sections, 'battery-full', BatteryFull);
  const cycles = objects(sections, 'battery-cycles', BatteryCycles);
  const names = new Set([...designs, ...full].map(({ InstanceName }) => InstanceName ?? ''));
  return (
    [...names]
      // An uninterruptible power supply at a USB port is listed as well.
      .filter((name) => !/^(?:HID|USB)\\/i.test(name))
      .map((name) =>
        toCounter(
          ofInstance(designs, name)?.DesignedCapacity,
          ofInstance(full, name)?.FullChargedCapacity,
          ofInstance(cycles, name)?.CycleCount,
        ),
      )
  );
}

/** The batteries of `powercfg /batteryreport`. LongTerm is 0 for an uninterruptible power supply. */
const readReportedBatteries = (sections: Sections): (BatteryCounter | null)[] =>
  objects(sections, 'battery-report', BatteryReport)
    .filter(({ LongTerm }) => LongTerm !== '0')
    .map(({ RelativeCapacity, DesignCapacity, FullChargeCapacity, CycleCount }) =>
      // A relative capacity is not in milliwatt-hours.
      RelativeCapacity === '0' ? toCounter(DesignCapacity, FullChargeCapacity, CycleCount) : null,
    );

/** The laptop's batteries together, from the first source that has all values of each; several fail on some laptops. */
function readBattery(sections: Sections): Battery | null {
  for (const batteries of [
    readWmiBatteries(sections, 'battery-design'),
    readWmiBatteries(sections, 'battery-design-wmi'),
    readReportedBatteries(sections),
  ]) {
    const known = batteries.filter((battery) => battery !== null);
    if (known.length > 0 && known.length === batteries.length) return combineBatteries(known);
  }
  return null;
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
  const lines = (contentOf(sections, 'edids') ?? '').split('\n', MAXIMUM_EDID_LINES);
  return readMainScreen(
    lines.flatMap((line, index) => {
      const path = line.trim().toLowerCase();
      // Not `includes`: on long texts that nearly match, it takes time by the product of their lengths.
      return internal.some((key) => path.endsWith(key)) ? [lines[index + 1] ?? ''] : [];
    }),
  );
}

const megabytesOf = (bytes: number | null) => (bytes === null ? null : bytes / 2 ** 20);

const readModules = (sections: Sections): ReportedModule[] =>
  objects(sections, 'memory', MemoryModule).map((module) => ({
    megabytes: megabytesOf(toInteger(module.Capacity, 1, 2 ** 42)),
    kind: toInteger(module.SMBIOSMemoryType, 0, 255),
    speed: toInteger(module.ConfiguredClockSpeed, 1, 100_000),
  }));

/** The laptop's own graphics adapters, without those of software, of USB docks and of a virtual machine. */
const readGraphics = (sections: Sections): string[] =>
  objects(sections, 'graphics', DisplayAdapter)
    .filter(({ PNPDeviceID }) => !/^(?:ROOT|SWD|USB|VMBUS)\\/i.test(PNPDeviceID?.toString() ?? ''))
    .flatMap(({ Name }) => lineOf(Name) ?? [])
    // The driver that Windows uses before the adapter's own is installed.
    .filter((name) => name !== 'Microsoft Basic Display Adapter')
    .slice(0, 4);

/** Membership in an organization is a positive finding. Not found is only what Windows says is not so. */
function readManagement(sections: Sections): DeviceLockState {
  const state = contentOf(sections, 'join-state') ?? '';
  const joined = /\b(?:AzureAdJoined|DomainJoined|EnterpriseJoined) ?: ?YES\b/.test(state);
  const assigned = objects(sections, 'autopilot', Autopilot).some(
    ({ CloudAssignedTenantDomain }) => lineOf(CloudAssignedTenantDomain) !== null,
  );
  if (joined || assigned) return 'locked';
  return /\bAzureAdJoined ?: ?NO\b/.test(state) && /\bDomainJoined ?: ?NO\b/.test(state)
    ? 'not_found'
    : 'unknown';
}

/** Lenovo's password state is a sum of flags: 1 power-on, 2 supervisor. */
function readFirmwarePassword(sections: Sections): DeviceLockState {
  const [settings] = objects(sections, 'lenovo-passwords', LenovoPasswords);
  const state = toInteger(settings?.PasswordState, 0, 65_535);
  if (state === null) return 'unknown';
  return (state & 3) === 0 ? 'not_found' : 'locked';
}

/** Reads a report of `inspect/windows.ps1`. What is missing or not understood is unknown. */
export function readWindowsReport(sections: Sections): SystemReading {
  const [product] = objects(sections, 'product', Product);
  const maker = lineOf(product?.Vendor);
  const model = modelName(maker, lineOf(product?.Name), lineOf(product?.Version));
  const serial = serialOf(product?.IdentifyingNumber);
  const [board] = objects(sections, 'board', Board);
  const modules = readModules(sections);
  const { drives, serials } = readDrives(sections);
  const date = contentOf(sections, 'firmware-date')?.trim();
  return {
    machine: {
      maker: valueFrom('firmware', maker),
      model: valueFrom('firmware', model),
      serial: valueFrom('firmware', serial === null ? null : maskSerial(serial)),
      board: valueFrom('firmware', boardName(lineOf(board?.Manufacturer), lineOf(board?.Product))),
      firmwareDate: valueFrom('firmware', /^20\d\d-\d\d-\d\d$/.test(date ?? '') ? (date ?? null) : null),
      processor: valueFrom('system', toProcessorName(lineOf(objects(sections, 'processor', Named)[0]?.Name))),
      memory: installedMemory(modules),
      memoryModules: valueFrom('firmware', toModules(modules)),
      drives,
      screen: valueFrom('screen', readScreen(sections)),
      graphics: readGraphics(sections),
      system: valueFrom('system', lineOf(objects(sections, 'system', System)[0]?.Caption)),
      battery: valueFrom('battery', readBattery(sections)),
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
