import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** An EDID block of a 14.0″ screen with 1920 × 1080 pixels, 309 × 174 mm, with a right checksum. */
export function sampleEdid(): Uint8Array {
  const edid = new Uint8Array(128);
  edid.set([0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00]);
  // Size in centimetres.
  edid.set([31, 17], 21);
  // Clock, horizontal active and blanking, vertical active and blanking, sync, size in millimetres.
  edid.set([0x02, 0x3a, 0x80, 0x18, 0x71, 0x38, 0x2d, 0x40, 0x58, 0x2c, 0x45, 0x00, 0x35, 0xae, 0x10], 54);
  const sum = edid.reduce((total, byte) => total + byte, 0);
  edid[127] = (256 - (sum % 256)) % 256;
  return edid;
}

/** An SMBIOS table with modules of DDR4 at 2667 MT/s. @param megabytes the size of each module; 0 for an empty slot */
export function sampleSmbios(megabytes: readonly number[]): Uint8Array {
  const structures = megabytes.map((size) => {
    const structure = new Uint8Array(0x28);
    structure.set([17, 0x28]);
    const view = new DataView(structure.buffer);
    view.setUint16(0x0c, size, true);
    view.setUint8(0x12, size === 0 ? 2 : 26);
    view.setUint16(0x15, size === 0 ? 0 : 3200, true);
    view.setUint16(0x20, size === 0 ? 0 : 2667, true);
    return [...structure, ...Buffer.from('Samsung\0M471A2K43\0\0', 'latin1')];
  });
  return Uint8Array.from([...structures.flat(), 127, 4, 0, 0, 0, 0]);
}

/** Bytes as hexadecimal pairs, as a report has them. */
export const hexDump = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('hex').replace(/../g, ' $&');

const dmi = '/sys/class/dmi/id';
const battery = '/sys/class/power_supply/BAT0';
const drive = '/sys/block/nvme0n1';

/** The files of a ThinkPad T14 Gen 1 that the script reads. */
export const thinkpad: Readonly<Record<string, string | Uint8Array>> = {
  [`${dmi}/sys_vendor`]: 'LENOVO\n',
  [`${dmi}/product_name`]: '20S0000LUS\n',
  [`${dmi}/product_version`]: 'ThinkPad T14 Gen 1\n',
  [`${dmi}/product_serial`]: 'PF3ABCDE\n',
  [`${dmi}/board_vendor`]: 'LENOVO\n',
  [`${dmi}/board_name`]: '20S0000LUS\n',
  [`${dmi}/board_serial`]: 'L1HF0AB01CD\n',
  [`${dmi}/bios_date`]: '03/15/2023\n',
  '/proc/cpuinfo': 'processor\t: 0\nmodel name\t: Intel(R) Core(TM) i5-10310U CPU @ 1.70GHz\n',
  '/proc/meminfo': 'MemTotal:       15984128 kB\nMemFree:         1000 kB\n',
  '/etc/os-release': 'PRETTY_NAME="Ubuntu 24.04.1 LTS"\nHOME_URL="https://www.ubuntu.com/"\n',
  '/sys/firmware/dmi/tables/DMI': sampleSmbios([8192, 8192, 0]),
  [`${battery}/energy_full_design`]: '50450000\n',
  [`${battery}/energy_full`]: '44900000\n',
  [`${battery}/cycle_count`]: '211\n',
  '/sys/class/drm/card0-eDP-1/edid': sampleEdid(),
  [`${drive}/size`]: '1000215216\n',
  [`${drive}/removable`]: '0\n',
  [`${drive}/queue/rotational`]: '0\n',
  [`${drive}/device/model`]: 'SAMSUNG MZVLB512HBJQ-000L7\n',
  [`${drive}/device/serial`]: 'S4ENNX0N123456\n',
  '/sys/class/firmware-attributes/thinklmi/authentication/Admin/is_enabled': '0\n',
  '/sys/class/firmware-attributes/thinklmi/attributes/AbsolutePersistenceModuleActivation/current_value':
    'Enable\n',
};

/** Writes a tree of files for `INSPECT_ROOT`. @returns its folder */
export async function writeTree(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-inspect-'));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}
