import type { Battery, Drive, LockState, Machine } from '#contract/machine.ts';
import { type BatteryCounter, combineBatteries } from './battery.ts';
import { parseHexDump, readMainScreen, type Screen } from './edid.ts';
import { from, type SystemReading } from './machine-reading.ts';
import { installedMemory, leastMemory, toModules } from './memory-modules.ts';
import { readSmart } from './smart.ts';
import { boardName, modelName, readFirmwareDate, readModules } from './smbios.ts';
import {
  driveGigabytes,
  MAXIMUM_DRIVES,
  maskSerial,
  parseJson,
  toInteger,
  toLine,
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

/** A capacity in milliwatt-hours: files have microwatt-hours, or microampere-hours at the design voltage. */
function milliwattHours(sections: Sections, battery: string, suffix: 'full' | 'full_design'): number | null {
  const read = (name: string) => toInteger(sections.get(`battery/${battery}/${name}`), 1, 1e9);
  const energy = read(`energy_${suffix}`);
  if (energy !== null) return Math.round(energy / 1000);
  const charge = read(`charge_${suffix}`);
  const microvolts = read('voltage_min_design');
  if (charge === null || microvolts === null) return null;
  return Math.round((charge * microvolts) / 1e9);
}

function readBattery(sections: Sections): Battery | null {
  const batteries = namesBelow(sections, 'battery/').flatMap((name): BatteryCounter[] => {
    const designMwh = milliwattHours(sections, name, 'full_design');
    const fullMwh = milliwattHours(sections, name, 'full');
    if (designMwh === null || fullMwh === null) return [];
    // Many firmwares report 0 instead of not knowing.
    return [
      { designMwh, fullMwh, cycles: toInteger(sections.get(`battery/${name}/cycle_count`), 1, 10_000) },
    ];
  });
  return combineBatteries(batteries);
}

function readDrives(sections: Sections): { drives: Drive[]; serials: string[] } {
  const drives: Drive[] = [];
  const serials: string[] = [];
  for (const device of namesBelow(sections, 'drive/')) {
    if (drives.length === MAXIMUM_DRIVES) break;
    const file = (name: string) => sections.get(`drive/${device}/${name}`);
    const sectors = toInteger(file('size'), 1, 2 ** 40);
    const gigabytes = driveGigabytes(sectors === null ? null : sectors * SECTOR_BYTES);
    if (gigabytes === null || file('removable') === '1') continue;
    drives.push({
      model: toLine(file('device/model')) ?? toLine(file('device/name')) ?? device,
      gigabytes,
      kind: device.startsWith('mmcblk') ? 'eMMC' : file('queue/rotational') === '1' ? 'HDD' : 'SSD',
      ...readSmart(parseJson(sections.get(`smart/${device}`))),
    });
    const serial = toSerial(file('device/serial'));
    if (serial !== null) serials.push(serial);
  }
  return { drives, serials };
}

const readScreen = (sections: Sections): Screen | null =>
  readMainScreen([...sections].flatMap(([name, dump]) => (name.startsWith('edid/') ? [dump] : [])));

/** The names of graphics adapters: PCI class 03, as `lspci -nn` writes it. */
function readGraphics(lspci: string | undefined): string[] {
  return (lspci ?? '').split('\n').flatMap((line) => {
    const [, name = ''] = /\[03\d\d\]: ([^[\]]{1,100}(?:\[[^[\]]{1,60}\])?)/.exec(line) ?? [];
    return toLine(name) ?? [];
  });
}

/** The installed memory, and its modules if the firmware's table could be read. */
function readMemory(sections: Sections): Pick<Machine, 'memory' | 'memoryModules'> {
  const table = parseHexDump(sections.get('smbios') ?? '');
  const modules = (table === null ? null : readModules(table)) ?? [];
  const memoryModules = from('firmware', toModules(modules));
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

function readFirmwarePassword(sections: Sections): LockState {
  const values = attributeValues(sections, (name) => name.endsWith('/is_enabled'));
  if (values.includes('1')) return 'locked';
  return values.length > 0 && values.every((value) => value === '0') ? 'not_found' : 'unknown';
}

/** Absolute can be activated, disabled, or enabled: that only allows an activation and says nothing of one. */
function readAbsolute(sections: Sections): LockState {
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
      maker: from('firmware', maker),
      model: from('firmware', model),
      serial: from('firmware', serial === null ? null : maskSerial(serial)),
      board: from('firmware', boardName(dmi('board_vendor'), dmi('board_name'))),
      firmwareDate: from('firmware', readFirmwareDate(sections.get('dmi/bios_date'))),
      processor: from('system', firstValue(sections.get('cpuinfo'), 'model name')),
      ...readMemory(sections),
      drives,
      screen: from('screen', readScreen(sections)),
      graphics: readGraphics(sections.get('lspci')).slice(0, 4),
      system: from('system', toLine(system)),
      battery: from('battery', readBattery(sections)),
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
