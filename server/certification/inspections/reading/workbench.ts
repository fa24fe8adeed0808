import * as z from 'zod';
import type { Battery, Drive } from '#contract/certification/machine.ts';
import { DAY_MS } from '#contract/platform/durations.ts';
import { combineBatteries } from './battery.ts';
import { readModules, splitDmidecode, structureTypes } from './dmidecode.ts';
import { from, type SystemReading } from './machine-reading.ts';
import { installedMemory, toModules } from './memory-modules.ts';
import { readSmart } from './smart.ts';
import { boardName, modelName, readFirmwareDate } from './smbios.ts';
import {
  driveGigabytes,
  MAXIMUM_DRIVES,
  maskSerial,
  parseJson,
  toInteger,
  toLine,
  toProcessorName,
  toSerial,
} from './values.ts';

/** A snapshot of eReuse Workbench. Its outputs of commands are texts, or JSON as a text or a value. */
const Snapshot = z.object({
  type: z.literal('Snapshot'),
  timestamp: z.string().max(40),
  data: z.object({ smartctl: z.unknown(), dmidecode: z.string(), inxi: z.unknown() }),
});

/** A snapshot has no code, so that only its age shows that it was made for this measurement. */
const MAXIMUM_AGE_MS = DAY_MS;

/** JSON that may be written in a text. */
const unwrap = (value: unknown): unknown => (typeof value === 'string' ? parseJson(value) : value);

const size = z.object({ bytes: z.number() }).optional().catch(undefined);
const SmartDrive = z.object({
  device: z.object({ protocol: z.string() }).optional().catch(undefined),
  model_name: z.string().optional().catch(undefined),
  serial_number: z.string().optional().catch(undefined),
  rotation_rate: z.number().optional().catch(undefined),
  user_capacity: size,
  nvme_total_capacity: z.number().optional().catch(undefined),
});

/** Reads one output of smartctl. A USB stick, such as the one Workbench was started from, speaks SCSI. */
function readDrive(report: unknown): { drive: Drive; serial: string | null } | null {
  const smart = SmartDrive.safeParse(report).data;
  const protocol = smart?.device?.protocol;
  const gigabytes = driveGigabytes(
    toInteger(smart?.user_capacity?.bytes ?? smart?.nvme_total_capacity, 1, 2 ** 50),
  );
  if (smart === undefined || gigabytes === null || (protocol !== 'NVMe' && protocol !== 'ATA')) return null;
  const isTurning = (smart.rotation_rate ?? 0) > 0;
  return {
    drive: {
      model: toLine(smart.model_name) ?? 'Drive',
      gigabytes,
      kind: isTurning ? 'HDD' : protocol === 'NVMe' || smart.rotation_rate === 0 ? 'SSD' : null,
      ...readSmart(report),
    },
    serial: toSerial(smart.serial_number),
  };
}

/** inxi numbers its keys, such as `026#0#2#condition`, and nests the parts of a section. */
function inxiValues(value: unknown, name: string, depth = 0): string[] {
  if (depth > 5 || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]: [string, unknown]) =>
    typeof item === 'string' && key.endsWith(`#${name}`) ? [item] : inxiValues(item, name, depth + 1),
  );
}

/** A battery's capacity, such as `44.9/50.5 Wh (88.9%)`: now, and when new. */
function readBattery(inxi: unknown): Battery | null {
  const counters = inxiValues(inxi, 'condition').flatMap((text) => {
    const [, full, design] = /^(\d{1,3}(?:\.\d{1,3})?)\/(\d{1,3}(?:\.\d{1,3})?) Wh/.exec(text) ?? [];
    const milliwattHours = (wattHours: string | undefined) => Math.round(Number(wattHours) * 1000);
    if (design === undefined || milliwattHours(design) === 0 || milliwattHours(full) === 0) return [];
    return [{ designMwh: milliwattHours(design), fullMwh: milliwattHours(full), cycles: null }];
  });
  return combineBatteries(counters.slice(0, 4));
}

function readDrives(smartctl: unknown): { drives: Drive[]; serials: string[] } {
  const reports = unwrap(smartctl);
  const list: unknown[] = Array.isArray(reports) ? reports.slice(0, MAXIMUM_DRIVES) : [reports];
  const read = list.flatMap((report) => readDrive(unwrap(report)) ?? []);
  return {
    drives: read.map(({ drive }) => drive),
    serials: read.flatMap(({ serial }) => serial ?? []),
  };
}

function readSnapshot({ smartctl, dmidecode, inxi }: z.output<typeof Snapshot>['data']): SystemReading {
  const structures = splitDmidecode(dmidecode);
  const value = (type: number, name: string) =>
    structures.find((structure) => structure.type === type)?.values.get(name);
  const { firmware, system, board, processor } = structureTypes;
  const maker = toLine(value(system, 'Manufacturer'));
  const serial = toSerial(value(system, 'Serial Number'));
  const boardValue = (name: string) => toLine(value(board, name));
  const modules = readModules(structures);
  const { drives, serials } = readDrives(smartctl);
  return {
    machine: {
      maker: from('firmware', maker),
      model: from(
        'firmware',
        modelName(maker, toLine(value(system, 'Product Name')), toLine(value(system, 'Version'))),
      ),
      serial: from('firmware', serial === null ? null : maskSerial(serial)),
      board: from('firmware', boardName(boardValue('Manufacturer'), boardValue('Product Name'))),
      firmwareDate: from('firmware', readFirmwareDate(value(firmware, 'Release Date'))),
      processor: from('firmware', toProcessorName(value(processor, 'Version'))),
      memory: installedMemory(modules),
      memoryModules: from('firmware', toModules(modules)),
      drives,
      screen: null,
      graphics: [],
      // Workbench is started from a USB stick.
      system: null,
      battery: from('battery', readBattery(unwrap(inxi))),
      locks: {
        firmwarePassword: 'unknown',
        absolute: 'unknown',
        management: 'unknown',
        activationLock: 'unknown',
      },
    },
    identity: {
      maker,
      serial,
      boardSerial: toSerial(value(board, 'Serial Number')),
      driveSerials: serials,
    },
  };
}

/**
 * Reads a snapshot of eReuse Workbench, which a page has put into a report with its code.
 * @returns the reason in words if it is no snapshot, or not one of the last 24 hours
 */
export function readWorkbenchReport(
  sections: ReadonlyMap<string, string>,
): SystemReading | { problem: string } {
  const snapshot = Snapshot.safeParse(parseJson(sections.get('snapshot')));
  if (!snapshot.success) {
    return {
      problem: 'This file is not a snapshot of eReuse Workbench that this shop can read. Nothing was kept.',
    };
  }
  const age = Date.now() - Date.parse(snapshot.data.timestamp);
  if (!(Math.abs(age) < MAXIMUM_AGE_MS)) {
    return {
      problem:
        'This snapshot was not made in the last 24 hours. Nothing was kept. Please let Workbench make a new one.',
    };
  }
  return readSnapshot(snapshot.data.data);
}
