import * as z from 'zod';
import type { Battery, Drive, LockState } from '#contract/machine.ts';
import { from, type SystemReading } from './machine-reading.ts';
import { leadingInteger, type ReportedModule, toMegabytes, toModules } from './memory-modules.ts';
import {
  driveGigabytes,
  firstItems,
  maskSerial,
  nominalMemory,
  parseJson,
  toInteger,
  toLine,
  toSerial,
} from './values.ts';

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
const StorageController = z.object({
  _items: firstItems(
    z.object({
      _name: Text,
      device_serial: Text,
      size_in_bytes: Count,
      smart_status: Text,
      removable_media: Text,
    }),
    MAXIMUM_ENTRIES,
  ),
});
const Graphics = z.object({ sppci_model: Text });
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

const readModules = (sections: Sections): ReportedModule[] =>
  entries(sections, 'memory', 'SPMemoryDataType', Memory)
    .flatMap((entry) => entry._items ?? [entry])
    .map((module) => ({
      megabytes: toMegabytes(module.dimm_size ?? module.SPMemoryDataType),
      kind: module.dimm_type ?? null,
      speed: leadingInteger(module.dimm_speed),
    }));

function readDrives(sections: Sections): { drives: Drive[]; serials: string[] } {
  const items = entries(sections, 'storage', 'SPNVMeDataType', StorageController)
    .flatMap((controller) => controller._items)
    .filter((item) => item.removable_media !== 'yes');
  return {
    drives: items.flatMap((item): Drive[] => {
      const gigabytes = driveGigabytes(toInteger(item.size_in_bytes, 1, Number.MAX_SAFE_INTEGER));
      if (gigabytes === null) return [];
      const status = toLine(item.smart_status);
      return [
        {
          model: toLine(item._name) ?? 'Drive',
          gigabytes,
          kind: 'SSD',
          hours: null,
          wear: null,
          healthy: status === null ? null : status === 'Verified',
        },
      ];
    }),
    serials: items.flatMap((item) => toSerial(item.device_serial) ?? []),
  };
}

/** macOS reports the capacity as a percentage only. */
function readBattery(sections: Sections): Battery | null {
  const [power] = entries(sections, 'power', 'SPPowerDataType', Power).flatMap(
    (entry) => entry.sppower_battery_health_info ?? [],
  );
  const [, percent] = /^(\d{1,3})%$/.exec(power?.sppower_battery_health_maximum_capacity ?? '') ?? [];
  const health = toInteger(percent, 1, 130);
  if (health === null) return null;
  return {
    designMwh: null,
    fullMwh: null,
    health,
    cycles: toInteger(power?.sppower_battery_cycle_count, 0, 10_000),
  };
}

function readManagement(enrollment: string | undefined): LockState {
  if (/^(?:Enrolled via DEP|MDM enrollment): Yes/m.test(enrollment ?? '')) return 'locked';
  return (enrollment ?? '').includes('MDM enrollment: No') ? 'not_found' : 'unknown';
}

function readActivationLock(status: string | undefined): LockState {
  if (status === 'activation_lock_enabled') return 'locked';
  return status === 'activation_lock_disabled' ? 'not_found' : 'unknown';
}

/** Reads a report of `inspect/macos.sh`. What is missing or not understood is unknown. */
export function readMacosReport(sections: Sections): SystemReading {
  const [hardware] = entries(sections, 'hardware', 'SPHardwareDataType', Hardware);
  const serial = toSerial(hardware?.serial_number);
  const { drives, serials } = readDrives(sections);
  const adapters = entries(sections, 'displays', 'SPDisplaysDataType', Graphics);
  const version = /^ProductVersion:\s{1,8}([\d.]{1,20})$/m.exec(sections.get('version') ?? '')?.[1];
  const memoryBytes = toInteger(sections.get('memory-bytes'), 1, 2 ** 42);
  const processor =
    toLine(hardware?.chip_type) ?? toLine(sections.get('processor')) ?? toLine(hardware?.cpu_type);
  return {
    machine: {
      maker: from('firmware', hardware === undefined ? null : 'Apple'),
      model: from('firmware', toLine(hardware?.machine_model) ?? toLine(hardware?.machine_name)),
      serial: from('firmware', serial === null ? null : maskSerial(serial)),
      // macOS reports neither.
      board: null,
      firmwareDate: null,
      processor: from('system', processor),
      memory: from('system', memoryBytes === null ? null : nominalMemory(memoryBytes)),
      memoryModules: from('system', toModules(readModules(sections))),
      drives,
      // macOS reports the pixels of the built-in screen but not its size.
      screen: null,
      graphics: adapters.flatMap(({ sppci_model }) => toLine(sppci_model) ?? []).slice(0, 4),
      system: from('system', version === undefined ? null : `macOS ${version}`),
      battery: from('battery', readBattery(sections)),
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
