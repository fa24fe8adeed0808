import type { Battery, DeviceLockState, Drive, Machine } from '#contract/certification/machine.ts';
import { type BatteryCounter, combineBatteries } from './battery.ts';
import { devicetreeProcessor } from './devicetree.ts';
import { parseHexDump, readMainScreen, type Screen } from './edid.ts';
import { type SystemReading, valueFrom } from './machine-reading.ts';
import { installedMemory, leastMemory, toModules } from './memory-modules.ts';
import { readGraphics } from './pci-graphics.ts';
import { readSmart } from './smart.ts';
import { boardName, modelName, readFirmwareDate, readModules } from './smbios.ts';
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

const SECTOR_BYTES = 512;

/** The names between a prefix and the next slash, such as `BAT0` of `battery/BAT0/cycle_count`. */
function namesBelow(sections: Sections, prefix: string): string[] {
  const names = [...sections.keys()]
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length).split('/')[0] ?? '');
  return [...new Set(names)];
}

/** The value of the first `name: value` line of a file such as /proc/cpuinfo. */
function firstValue(text: string | undefined, name: string): string | null {
  for (const line of (text ?? '').split('\n')) {
    const colon = line.indexOf(':');
    if (colon >= 0 && line.slice(0, colon).trim() === name) return toLine(line.slice(colon + 1));
  }
  return null;
}

/** The design voltages of laptops' batteries, in microvolts: one to seven cells. */
const MINIMUM_DESIGN_VOLTAGE = 2_500_000;
const MAXIMUM_DESIGN_VOLTAGE = 30_000_000;

interface LinuxBattery extends BatteryCounter {
  /** Otherwise the capacities are those at 1 V, and only their ratio is known. */
  isVoltageKnown: boolean;
}

/** A battery from its files; null when its capacities are not understood. */
function readCapacities(file: (name: string) => string | undefined): LinuxBattery | null {
  const pair = (kind: 'energy' | 'charge') => {
    const design = toInteger(file(`${kind}_full_design`), 1, 1e9);
    const full = toInteger(file(`${kind}_full`), 1, 1e9);
    return design === null || full === null ? null : { design, full };
  };
  // Many firmwares report 0 instead of not knowing.
  const cycles = toInteger(file('cycle_count'), 1, 10_000);
  // Microwatt-hours.
  const energy = pair('energy');
  if (energy !== null) {
    const milliwattHours = (value: number) => Math.round(value / 1000);
    return {
      designMwh: milliwattHours(energy.design),
      fullMwh: milliwattHours(energy.full),
      cycles,
      isVoltageKnown: true,
    };
  }
  // Microampere-hours, at the design voltage.
  const charge = pair('charge');
  if (charge === null) return null;
  const microvolts = toInteger(file('voltage_min_design'), MINIMUM_DESIGN_VOLTAGE, MAXIMUM_DESIGN_VOLTAGE);
  const milliwattHours = (value: number) => Math.round((value * (microvolts ?? 1e6)) / 1e9);
  return {
    designMwh: milliwattHours(charge.design),
    fullMwh: milliwattHours(charge.full),
    cycles,
    isVoltageKnown: microvolts !== null,
  };
}

/** A place for a second battery that is empty has no capacities. One whose capacities are not understood makes the sum unknown. */
function readBattery(sections: Sections): Battery | null {
  const batteries = namesBelow(sections, 'battery/').flatMap((name) => {
    const file = (part: string) => sections.get(`battery/${name}/${part}`);
    const hasCapacity = ['energy_full_design', 'energy_full', 'charge_full_design', 'charge_full'].some(
      (part) => file(part) !== undefined,
    );
    return hasCapacity ? [readCapacities(file)] : [];
  });
  const known = batteries.filter((battery) => battery !== null);
  if (known.length < batteries.length) return null;
  const combined = combineBatteries(known);
  if (known.every(({ isVoltageKnown }) => isVoltageKnown)) return combined;
  // The capacities of several batteries are not comparable without their voltages.
  return combined === null || known.length > 1 ? null : { ...combined, designMwh: null, fullMwh: null };
}

/** Where the kernel lists the machine's own buses, and an NVMe drive that can have several paths. */
const ownBus = /(?:^|\/)devices\/(?:pci|platform|soc|virtual\/nvme-subsystem\/)/;
/** Buses of drives that are connected from outside (USB, FireWire, iSCSI), or that a virtual machine is given. */
const otherBus = /\/(?:usb\d|fw\d|session\d|virtio\d|vmbus)/i;

/**
 * Whether a drive is built in. `removable` says only whether the medium of a drive can be taken out: it is 0 for USB disks, and
 * for SD cards in a reader of its own. A drive of which too little was reported counts as another one.
 */
function isBuiltIn(device: string, file: (name: string) => string | undefined): boolean {
  if (file('removable') === '1' || file('device/device/removable') === 'removable') return false;
  // The single paths of an NVMe drive, which is listed as well.
  if (file('hidden') === '1') return false;
  if (device.startsWith('mmcblk') && file('device/type') !== 'MMC') return false;
  // Alone tells a SATA drive from a USB drive.
  const link = file('link') ?? '';
  return ownBus.test(link) && !otherBus.test(link);
}

function driveKind(device: string, rotational: string | undefined): Drive['kind'] {
  if (device.startsWith('mmcblk')) return 'eMMC';
  if (device.startsWith('nvme') || rotational === '0') return 'SSD';
  return rotational === '1' ? 'HDD' : null;
}

function readDrives(sections: Sections): { drives: Drive[]; serials: string[] } {
  const drives: Drive[] = [];
  const serials: string[] = [];
  for (const device of namesBelow(sections, 'drive/')) {
    const file = (name: string) => sections.get(`drive/${device}/${name}`);
    const sectors = toInteger(file('size'), 1, 2 ** 40);
    const gigabytes = driveGigabytes(sectors === null ? null : sectors * SECTOR_BYTES);
    if (gigabytes === null || !isBuiltIn(device, file)) continue;
    drives.push({
      model: toLine(file('device/model')) ?? toLine(file('device/name')) ?? device,
      gigabytes,
      kind: driveKind(device, file('queue/rotational')),
      ...readSmart(parseJson(sections.get(`smart/${device}`))),
    });
    const serial = toSerial(file('device/serial'));
    if (serial !== null) serials.push(serial);
  }
  return { drives, serials };
}

const readScreen = (sections: Sections): Screen | null =>
  readMainScreen([...sections].flatMap(([name, dump]) => (name.startsWith('edid/') ? [dump] : [])));

/** The processor's name. Other processors than x86 name only their architecture here, such as `ARMv7 Processor rev 4 (v7l)`. */
function readProcessor(sections: Sections): string | null {
  const name = toProcessorName(firstValue(sections.get('cpuinfo'), 'model name'));
  const isArchitecture = name !== null && /^ARMv\d/.test(name);
  return (isArchitecture ? null : name) ?? devicetreeProcessor(sections.get('devicetree/compatible'));
}

/** The installed memory, and its modules if the firmware's table could be read. */
function readMemory(sections: Sections): Pick<Machine, 'memory' | 'memoryModules'> {
  const table = parseHexDump(sections.get('smbios') ?? '');
  const modules = (table === null ? null : readModules(table)) ?? [];
  const memoryModules = valueFrom('firmware', toModules(modules));
  const installed = installedMemory(modules);
  const [, kilobytes] = /^MemTotal: {1,20}(\d{1,12}) kB$/m.exec(sections.get('meminfo') ?? '') ?? [];
  const seen = leastMemory(kilobytes === undefined ? null : Number(kilobytes) * 1024);
  // A table with less than the system sees is wrong.
  const isMeasured = installed !== null && 'value' in installed && installed.value >= (seen?.atLeast ?? 0);
  return { memory: isMeasured ? installed : (seen ?? installed), memoryModules };
}

/** The values of the firmware's attributes whose name passes a test, in lower case. */
function attributeValues(sections: Sections, isPart: (name: string) => boolean): string[] {
  return [...sections]
    .filter(([name]) => name.startsWith('firmware/') && isPart(name))
    .map(([, value]) => value.trim().toLowerCase());
}

function readFirmwarePassword(sections: Sections): DeviceLockState {
  const values = attributeValues(sections, (name) => name.endsWith('/is_enabled'));
  if (values.includes('1')) return 'locked';
  return values.length > 0 && values.every((value) => value === '0') ? 'not_found' : 'unknown';
}

/** Absolute can be activated, disabled, or enabled: that only allows an activation and says nothing of one. */
function readAbsolute(sections: Sections): DeviceLockState {
  const values = attributeValues(sections, (name) => name.includes('/attributes/Absolute'));
  if (values.some((value) => value === 'activated' || value === 'activate')) return 'locked';
  return values.length > 0 && values.every((value) => value.includes('disable')) ? 'not_found' : 'unknown';
}

/** Reads a report of `inspect/linux.sh`. What is missing or not understood is unknown. */
export function readLinuxReport(sections: Sections): SystemReading {
  const dmi = (name: string) => toLine(sections.get(`dmi/${name}`));
  const maker = dmi('sys_vendor');
  const model = modelName(maker, dmi('product_name'), dmi('product_version'));
  const serial = toSerial(sections.get('dmi/product_serial'));
  const { drives, serials } = readDrives(sections);
  const system = /^PRETTY_NAME="?([^"\n]{1,100})"?$/m.exec(sections.get('os-release') ?? '')?.[1];
  return {
    machine: {
      maker: valueFrom('firmware', maker),
      model: valueFrom('firmware', model),
      serial: valueFrom('firmware', serial === null ? null : maskSerial(serial)),
      board: valueFrom('firmware', boardName(dmi('board_vendor'), dmi('board_name'))),
      firmwareDate: valueFrom('firmware', readFirmwareDate(sections.get('dmi/bios_date'))),
      processor: valueFrom('system', readProcessor(sections)),
      ...readMemory(sections),
      drives,
      screen: valueFrom('screen', readScreen(sections)),
      graphics: readGraphics(
        sections.get('lspci'),
        namesBelow(sections, 'graphics/').map((address) => ({
          address,
          class: sections.get(`graphics/${address}/class`),
          removable: sections.get(`graphics/${address}/removable`),
        })),
      ),
      system: valueFrom('system', toLine(system)),
      battery: valueFrom('battery', readBattery(sections)),
      locks: {
        firmwarePassword: readFirmwarePassword(sections),
        absolute: readAbsolute(sections),
        management: 'unknown',
        activationLock: 'unknown',
      },
    },
    identity: {
      maker,
      serial,
      boardSerial: toSerial(sections.get('dmi/board_serial')),
      driveSerials: serials,
    },
  };
}
