import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { driveLinks, thinkpad, writeTree } from './testing/linux-tree.ts';

const run = promisify(execFile);
const script = join(import.meta.dirname, '../../../inspect/linux.sh');

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

const power = '/sys/class/power_supply';
const pci = '/sys/bus/pci/devices';

/** A laptop with the files that a ThinkPad lacks. */
const laptop = {
  ...thinkpad,
  '/sys/firmware/devicetree/base/compatible': 'lenovo,thinkpad-x13s\0qcom,sc8280xp\0',
  [`${pci}/0000:00:02.0/class`]: '0x030000\n',
  [`${pci}/0000:00:1f.3/class`]: '0x040300\n',
};

/** A tree, with commands in place of those that read the running machine: each writes the arguments that it was given. */
async function prepare(
  files: Readonly<Record<string, string | Uint8Array>>,
  links?: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = await writeTree(files, links);
  folders.push(folder);
  await mkdir(join(folder, 'commands'));
  for (const name of ['lspci', 'smartctl']) {
    await writeFile(join(folder, 'commands', name), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
  }
  return folder;
}

/** Runs the script against a tree. @returns the report's sections by name */
async function sectionsOf(folder: string, shell: readonly string[] = ['sh']): Promise<Map<string, string>> {
  const [program = '', ...args] = shell;
  const { stderr } = await run(
    program,
    [...args, script, 'http://shop.example', '0000-0000-0000', '--file'],
    {
      cwd: folder,
      env: { PATH: `${join(folder, 'commands')}:${process.env.PATH}`, INSPECT_ROOT: folder },
      timeout: 60_000,
    },
  );
  expect(stderr).toBe('');
  const report = await readFile(join(folder, 'laptop-report.txt'), 'utf8');
  const [, ...sections] = report.split('\n== ');
  expect(sections.at(-1)).toBe('end\n');
  return new Map(
    sections.map((section) => {
      const [name = '', ...lines] = section.split('\n');
      return [
        name,
        lines
          .map((line) => line.replace('\t', ''))
          .join('\n')
          .trim(),
      ];
    }),
  );
}

let expected: Map<string, string>;
beforeAll(async () => {
  expected = await sectionsOf(await prepare(laptop));
});

test('files are read whatever their size: those of /sys and /proc have 0 or 4096 bytes', {
  tags: 'long',
}, async () => {
  expect([...expected.keys()]).toEqual(
    expect.arrayContaining(['cpuinfo', 'edid/card0-eDP-1', 'smbios', 'battery/BAT0/energy_full']),
  );

  const folder = await prepare(laptop);
  // A pipe has a size of 0 and can be read once.
  const paths = Object.keys(laptop).map((path) => join(folder, path));
  for (const path of paths) {
    await rename(path, `${path}.content`);
    await run('mkfifo', [path]);
  }
  const writers = paths.map((path) => spawn('sh', ['-c', 'exec cat "$0.content" > "$0"', path]));
  try {
    expect(await sectionsOf(folder)).toEqual(expected);
  } finally {
    for (const writer of writers) writer.kill();
  }
});

test('a file that cannot be read is left out, and the others are sent', async () => {
  const folder = await prepare({ ...laptop, [`${power}/AC/type`]: 'Mains\n' });
  const unreadable = [
    `${power}/BAT0/energy_full`,
    '/sys/class/drm/card0-eDP-1/edid',
    '/sys/class/dmi/id/product_serial',
    '/sys/firmware/dmi/tables/DMI',
    '/proc/cpuinfo',
  ];
  for (const path of unreadable) {
    await rm(join(folder, path));
    // Opens, and reading it is an input/output error.
    await symlink('/proc/self/mem', join(folder, path));
  }
  const left = ['battery/BAT0/energy_full', 'edid/card0-eDP-1', 'dmi/product_serial', 'smbios', 'cpuinfo'];
  expect(await sectionsOf(folder)).toEqual(new Map([...expected].filter(([name]) => !left.includes(name))));
});

const shells = [['dash'], ['bash', '--posix'], ['busybox', 'sh'], ['mksh'], ['yash']];
const installed = shells.filter(([name = '']) =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name))),
);

test.each(installed)('%s %s writes the same report as the system’s shell', async (...shell) => {
  expect(await sectionsOf(await prepare(laptop), shell)).toEqual(expected);
});

test('a battery has any name, and that of a mouse is not sent', async () => {
  const mouse = `${power}/hid-d0:a6:37:e1:00:11-battery`;
  const sections = await sectionsOf(
    await prepare({
      [`${power}/CMB1/type`]: 'Battery\n',
      [`${power}/CMB1/charge_full_design`]: '4400000\n',
      [`${power}/CMB1/charge_full`]: '3300000\n',
      [`${power}/macsmc-battery/type`]: 'Battery\n',
      [`${power}/macsmc-battery/scope`]: 'System\n',
      [`${power}/macsmc-battery/energy_full`]: '40000000\n',
      [`${power}/AC/type`]: 'Mains\n',
      [`${power}/AC/energy_full`]: '1\n',
      [`${mouse}/type`]: 'Battery\n',
      [`${mouse}/scope`]: 'Device\n',
      [`${mouse}/energy_full`]: '1\n',
    }),
  );
  expect([...sections].filter(([name]) => name.startsWith('battery/'))).toEqual([
    ['battery/CMB1/charge_full_design', '4400000'],
    ['battery/CMB1/charge_full', '3300000'],
    ['battery/macsmc-battery/energy_full', '40000000'],
  ]);
});

test('the bus of each drive is sent, and nothing that identifies a drive of somebody else', async () => {
  const block = '/sys/block';
  const folder = await prepare(
    {
      [`${block}/nvme0n1/size`]: '1000215216\n',
      [`${block}/nvme0n1/hidden`]: '0\n',
      [`${block}/nvme0n1/device/serial`]: 'S4ENNX0N123456\n',
      [`${block}/sda/size`]: '1000215216\n',
      [`${block}/sdb/size`]: '3907029168\n',
      [`${block}/sdb/device/serial`]: 'S6WXNS0T999999\n',
      [`${block}/mmcblk0/size`]: '2000409264\n',
      [`${block}/mmcblk0/device/type`]: 'SD\n',
      [`${block}/mmcblk0/device/serial`]: '0x1234abcd\n',
      [`${block}/vda/size`]: '2000409264\n',
    },
    {
      [`${block}/nvme0n1`]: driveLinks.nvme,
      [`${block}/sda`]: driveLinks.sata,
      [`${block}/sdb`]: driveLinks.usb,
      [`${block}/mmcblk0`]: driveLinks.mmc,
      [`${block}/vda`]: '../devices/pci0000:00/0000:00:02.0/virtio1/block/vda',
    },
  );
  const sections = await sectionsOf(folder);
  const about = [...sections].filter(([name]) => /^(?:drive|smart)\//.test(name));
  expect(about).toEqual([
    ['drive/nvme0n1/link', driveLinks.nvme],
    ['drive/nvme0n1/size', '1000215216'],
    ['drive/nvme0n1/hidden', '0'],
    ['smart/nvme0n1', '-H -A -l devstat --json=c /dev/nvme0n1'],
    ['drive/nvme0n1/device/serial', 'S4ENNX0N123456'],
    ['drive/sda/link', driveLinks.sata],
    ['drive/sda/size', '1000215216'],
    ['smart/sda', '-H -A -l devstat --json=c /dev/sda'],
    ['drive/sdb/link', driveLinks.usb],
    ['drive/sdb/size', '3907029168'],
    ['drive/mmcblk0/link', driveLinks.mmc],
    ['drive/mmcblk0/device/type', 'SD'],
    ['drive/mmcblk0/size', '2000409264'],
  ]);
});

test('the devicetree names the processor, and only graphics adapters are listed', async () => {
  const sections = await sectionsOf(await prepare(laptop));
  expect(sections.get('devicetree/compatible')).toBe('lenovo,thinkpad-x13s\nqcom,sc8280xp');
  expect([...sections.keys()].filter((name) => name.startsWith('graphics/'))).toEqual([
    'graphics/0000:00:02.0/class',
  ]);
});

test('a name with other characters than the shop accepts does not spoil the report', async () => {
  const attribute = `/sys/class/firmware-attributes/hp-bioscfg/attributes/Absolute® Persistence (${'x'.repeat(99)})`;
  const sections = await sectionsOf(await prepare({ [`${attribute}/current_value`]: 'Disable\n' }));
  const [name = ''] = [...sections.keys()].filter((key) => key.startsWith('firmware/'));
  expect(name).toMatch(/^firmware\/hp-bioscfg\/attributes\/Absolute__ Persistence _x+$/);
  expect(name).toHaveLength(120);
});
