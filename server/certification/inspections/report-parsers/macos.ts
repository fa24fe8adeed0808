import * as z from 'zod';
import type { Battery, DeviceLockState, Drive } from '#contract/certification/machine.ts';
import { type SystemReading, valueFrom } from './machine-reading.ts';
import { exactMemory, type ReportedModule, toModules } from './memory-modules.ts';
import { driveGigabytes, firstItems, maskSerial, parseJson, toInteger, toLine, toSerial } from './values.ts';

type Sections = ReadonlyMap<string, string>;

/** The most entries of a list that are read; a laptop has few of each. */
const MAXIMUM_ENTRIES = 32;

const Text = z.string().optional().catch(undefined);
const Count = z.union([z.number(), z.string()]).optional().catch(undefined);

const Hardware = z.object({
  machine_name: Text,
  machine_model: Text,
  chip_type: Text,
  cpu_type: Text,
  serial_number: Text,
  activation_lock_status: Text,
});
const MemoryModule = z.object({
  /** Intel's slots have it. */
  dimm_size: Text,
  /** Apple's processors have one entry for all memory, with its size under the name of the data type. */
  SPMemoryDataType: Text,
  dimm_type: Text,
  dimm_speed: Text,
});
const Memory = z.object({
  ...MemoryModule.shape,
  _items: firstItems(MemoryModule, MAXIMUM_ENTRIES).optional().catch(undefined),
});
const StoredDrive = z.object({
  _name: Text,
  device_serial: Text,
  size_in_bytes: Count,
  smart_status: Text,
  removable_media: Text,
  detachable_drive: Text,
  /** Of SATA drives. */
  spsata_medium_type: Text,
});
type StoredDrive = z.output<typeof StoredDrive>;
const StorageController = z.object({
  _name: Text,
  _items: firstItems(StoredDrive, MAXIMUM_ENTRIES),
});
const Graphics = z.object({ sppci_model: Text, sppci_bus: Text, sppci_device_type: Text });
const Power = z.object({
  sppower_battery_health_info: z
    .object({ sppower_battery_cycle_count: Count, sppower_battery_health_maximum_capacity: Text })
    .optional()
    .catch(undefined),
});

/** The entries of a `system_profiler -json` document that have the expected shape. */
function entries<Schema extends z.ZodType>(
  sections: Sections,
  name: string,
  dataType: string,
  schema: Schema,
): z.output<Schema>[] {
  const Document = z.object({ [dataType]: firstItems(z.unknown(), MAXIMUM_ENTRIES) });
  const list = Document.safeParse(parseJson(sections.get(name))).data?.[dataType] ?? [];
  return list.flatMap((item) => {
    const parsed = schema.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
}

/** The megabytes of a size such as `8 GB`; 0 for the text of an empty slot, null for any other. */
function toMegabytes(size: string): number | null {
  if (/^empty$/i.test(size.trim())) return 0;
  // In some languages macOS writes a no-break space before the unit.
  const [, digits, unit] = /^(\d{1,7})\s([MG])B$/.exec(size.trim()) ?? [];
  return digits === undefined ? null : Number(digits) * (unit === 'G' ? 1024 : 1);
}

const readModules = (sections: Sections): ReportedModule[] =>
  entries(sections, 'memory', 'SPMemoryDataType', Memory)
    .flatMap((entry) => entry._items ?? [entry])
    .map((module) => ({
      // An entry without a size describes no module.
      megabytes: toMegabytes(module.dimm_size ?? module.SPMemoryDataType ?? 'empty'),
      kind: module.dimm_type ?? null,
      speed: toInteger(/^\d{1,7}(?= )/.exec(module.dimm_speed ?? '')?.[0], 0, 20_000),
    }));

/** The drives of a data type that macOS does not call external. Optical drives are listed under SATA, without a size. */
const listedDrives = (sections: Sections, dataType: string): StoredDrive[] =>
  entries(sections, 'storage', dataType, StorageController)
    .filter((controller) => !/thunderbolt/i.test(controller._name ?? ''))
    .flatMap((controller) => controller._items)
    .filter(
      (item) => !/^yes$/i.test(item.removable_media ?? '') && !/^yes$/i.test(item.detachable_drive ?? ''),
    )
    .filter((item) => toInteger(item.size_in_bytes, 1, Number.MAX_SAFE_INTEGER) !== null);

const isApples = (drive: StoredDrive) => /^APPLE (?:SSD|HDD)\b/.test(drive._name ?? '');

/**
 * The NVMe drive of the laptop. A MacBook has one at most. A drive in a Thunderbolt case is listed beside it, on some without
 * `detachable_drive`; Apple's own drive is then the laptop's, and without one it is unknown which is.
 */
function internalNvme(nvme: readonly StoredDrive[], sata: readonly StoredDrive[]): readonly StoredDrive[] {
  if ([...nvme, ...sata].some(isApples)) return nvme.filter(isApples);
  return nvme.length === 1 ? nvme : [];
}

/** Apple's keys for the medium of SATA drives; they are not translated. */
const mediumKinds = new Map<string | undefined, Drive['kind']>([
  ['Solid State', 'SSD'],
  ['Rotational', 'HDD'],
]);

/** The drive's verdict: Apple's keys, which are not translated. Any other, such as `Not Supported`, is unknown. */
function isHealthy(status: string | undefined): boolean | null {
  if (status === 'Verified') return true;
  return status === 'Failing' ? false : null;
}

function toDrive(item: StoredDrive, kind: Drive['kind']): Drive[] {
  const gigabytes = driveGigabytes(toInteger(item.size_in_bytes, 1, Number.MAX_SAFE_INTEGER));
  if (gigabytes === null) return [];
  return [
    {
      model: toLine(item._name) ?? 'Drive',
      gigabytes,
      kind,
      hours: null,
      wear: null,
      healthy: isHealthy(item.smart_status),
    },
  ];
}

function readDrives(sections: Sections): { drives: Drive[]; serials: string[] } {
  const sata = listedDrives(sections, 'SPSerialATADataType');
  const nvme = internalNvme(listedDrives(sections, 'SPNVMeDataType'), sata);
  return {
    drives: [
      ...nvme.flatMap((item) => toDrive(item, 'SSD')),
      ...sata.flatMap((item) => toDrive(item, mediumKinds.get(item.spsata_medium_type) ?? null)),
    ],
    serials: [...nvme, ...sata].flatMap((item) => toSerial(item.device_serial) ?? []),
  };
}

/**
 * A percentage as macOS formats it for the user's language: `97%`, `97 %` with a no-break space, `%97`. Marks of writing
 * direction may surround it.
 */
function percentage(text: string | undefined): number | null {
  const plain = (text ?? '').replaceAll(/[\u200E\u200F\u061C]/g, '').trim();
  const [, before, after] = /^(?:(\d{1,3})\s?%|%\s?(\d{1,3}))$/.exec(plain) ?? [];
  return toInteger(before ?? after, 1, 130);
}

/** macOS reports the capacity as a percentage only. */
function readBattery(sections: Sections): Battery | null {
  const [power] = entries(sections, 'power', 'SPPowerDataType', Power).flatMap(
    (entry) => entry.sppower_battery_health_info ?? [],
  );
  const health = percentage(power?.sppower_battery_health_maximum_capacity);
  if (health === null) return null;
  return {
    designMwh: null,
    fullMwh: null,
    health,
    cycles: toInteger(power?.sppower_battery_cycle_count, 0, 10_000),
  };
}

/** The laptop's own graphics; a case at a Thunderbolt port is not. */
const readGraphics = (sections: Sections): string[] =>
  entries(sections, 'displays', 'SPDisplaysDataType', Graphics)
    .filter(
      ({ sppci_bus, sppci_device_type }) =>
        sppci_bus !== 'spdisplays_tb_device' && sppci_device_type !== 'spdisplays_egpu',
    )
    .flatMap(({ sppci_model }) => toLine(sppci_model) ?? [])
    .slice(0, 4);

function readManagement(enrollment: string | undefined): DeviceLockState {
  if (/^(?:Enrolled via DEP|MDM enrollment): Yes/m.test(enrollment ?? '')) return 'locked';
  return (enrollment ?? '').includes('MDM enrollment: No') ? 'not_found' : 'unknown';
}

function readActivationLock(status: string | undefined): DeviceLockState {
  if (status === 'activation_lock_enabled') return 'locked';
  return status === 'activation_lock_disabled' ? 'not_found' : 'unknown';
}

/** Reads a report of `inspect/macos.sh`. What is missing or not understood is unknown. */
export function readMacosReport(sections: Sections): SystemReading {
  const [hardware] = entries(sections, 'hardware', 'SPHardwareDataType', Hardware);
  const serial = toSerial(hardware?.serial_number);
  const { drives, serials } = readDrives(sections);
  const version = /^ProductVersion:\s{1,8}([\d.]{1,20})$/m.exec(sections.get('version') ?? '')?.[1];
  const memoryBytes = toInteger(sections.get('memory-bytes'), 1, 2 ** 42);
  const processor =
    toLine(hardware?.chip_type) ?? toLine(sections.get('processor')) ?? toLine(hardware?.cpu_type);
  return {
    machine: {
      maker: valueFrom('firmware', hardware === undefined ? null : 'Apple'),
      model: valueFrom('firmware', toLine(hardware?.machine_model) ?? toLine(hardware?.machine_name)),
      serial: valueFrom('firmware', serial === null ? null : maskSerial(serial)),
      // macOS reports neither.
      board: null,
      firmwareDate: null,
      processor: valueFrom('system', processor),
      memory: exactMemory(memoryBytes),
      memoryModules: valueFrom('system', toModules(readModules(sections))),
      drives,
      // macOS reports the pixels of the built-in screen but not its size.
      screen: null,
      graphics: readGraphics(sections),
      system: valueFrom('system', version === undefined ? null : `macOS ${version}`),
      battery: valueFrom('battery', readBattery(sections)),
      locks: {
        firmwarePassword: 'unknown',
        absolute: 'unknown',
        management: readManagement(sections.get('enrollment')),
        activationLock: readActivationLock(hardware?.activation_lock_status),
      },
    },
    identity: {
      maker: hardware === undefined ? null : 'Apple',
      serial,
      boardSerial: null,
      driveSerials: serials,
    },
  };
}
