import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
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
  [`${battery}/type`]: 'Battery\n',
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

/** Where the kernel's links of `/sys/block` lead: through the bus of each drive. */
export const driveLinks = {
  nvme: '../devices/pci0000:00/0000:00:1d.0/0000:3d:00.0/nvme/nvme0/nvme0n1',
  /** An NVMe drive that can have several paths, of which `nvme0c0n1` is one. */
  nvmeSubsystem: '../devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1',
  nvmePath: '../devices/pci0000:00/0000:00:1d.0/0000:3d:00.0/nvme/nvme0/nvme0c0n1',
  sata: '../devices/pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0/block/sda',
  usb: '../devices/pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/host1/target1:0:0/1:0:0:0/block/sdb',
  mmc: '../devices/pci0000:00/0000:00:1a.0/mmc_host/mmc0/mmc0:0001/block/mmcblk0',
} as const;

/**
 * Writes a tree of files for `INSPECT_ROOT`.
 * @param links symbolic links by path; files below them are written where they lead
 * @returns its folder
 */
export async function writeTree(
  files: Readonly<Record<string, string | Uint8Array>>,
  links: Readonly<Record<string, string>> = { [drive]: driveLinks.nvme },
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-inspect-'));
  for (const [path, target] of Object.entries(links)) {
    const parent = dirname(join(folder, path));
    await mkdir(parent, { recursive: true });
    await mkdir(join(parent, target), { recursive: true });
    await symlink(target, join(folder, path));
  }
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}
