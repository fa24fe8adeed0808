// `npm run inspect:vm`: runs inspect/linux.sh as root and as a user on a virtual laptop, and compares every value that the
// server reads with what the laptop was given.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readReport } from '#server/certification/inspections/report-parsers/read-report.ts';
import { parseReport } from '#server/certification/inspections/report-parsers/report.ts';
import { type AcpiBattery, batteryTable } from './acpi.ts';
import { addFirstOf, addProgram, createRoot, exists, findKernel, type Kernel, packRoot } from './files.ts';
import { run } from './run.ts';

/** The exit code when a program is missing, apart from 1 for a wrong report. */
const SOMETHING_IS_MISSING = 3;
/** The emulated machine needs about a minute, and more beside other work. */
const TIMEOUT_MS = 600_000;

const laptop = {
  maker: 'LENOVO',
  model: 'ThinkPad T14 Gen 1',
  serial: 'PF3ABCDE',
  board: 'L1HF0AB01CD',
  boardModel: '20S0000LUS',
  processor: 'Intel(R) Core(TM) i5-10310U CPU @ 1.70GHz',
  /** Gigabytes. */
  memory: 2,
  nvme: { bytes: 512_110_190_592, serial: 'S4ENNX0N123456' },
  sata: { bytes: 1_000_204_886_016, model: 'ST1000LM035', serial: 'WCB2ABCD' },
  /** Drives that are not the laptop's: USB disks by two protocols, a card, a virtual machine's disk. */
  others: {
    stick: 2_000_398_934_016,
    uas: 4_000_787_030_016,
    card: 64 * 2 ** 30,
    virtual: 3_000_592_982_016,
  },
  /** Pixels. QEMU's screens have 100 of them an inch. */
  screen: { width: 1366, height: 768, inches: 15.6 },
  system: 'A system in a virtual laptop',
} as const;

const batteries: readonly AcpiBattery[] = [
  { name: 'CMB1', unit: 'mWh', design: 50_450, full: 44_900, cycles: 211, voltage: 11_520 },
  { name: 'BAT1', unit: 'mAh', design: 4000, full: 3000, cycles: 80, voltage: 11_400 },
];
const combinedBattery = { health: 82, designMwh: 96_050, fullMwh: 79_100, cycles: 211 };

const modules = [
  ...['nvme', 'ahci', 'sd_mod', 'xhci_pci', 'usb_storage', 'uas', 'sdhci_pci', 'mmc_block'],
  ...['virtio_pci', 'virtio_scsi', 'virtio_gpu', 'battery', 'ac', 'tpm_crb'],
];

const say = (text: string) => void process.stdout.write(`${text}\n`);

/** Administrators' programs are not in the path of everybody. */
const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'];

async function findProgram(name: string): Promise<string | null> {
  for (const folder of folders) {
    if (folder !== '' && (await exists(join(folder, name)))) return join(folder, name);
  }
  return null;
}

const SCRIPT = 'sh /linux.sh http://shop.example 0000-0000-0000 --file';

/**
 * The first program of the virtual machine. It writes the reports of root and of a user to the second and third serial
 * port, whose ends the host reads. Drives are found some time after their driver was loaded.
 */
const init = `#!/bin/sh
/bin/busybox --install -s /bin
export PATH=/bin:/usr/bin:/usr/sbin:/sbin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
while read -r module; do insmod "/modules/$module"; done < /modules/order
is_complete() {
  [ -e /sys/block/nvme0n1 ] && [ -e /sys/block/mmcblk0 ] && [ -e /sys/block/sdd ] &&
    [ -e /sys/class/power_supply/CMB1 ] && grep -q . /sys/class/drm/card0-Virtual-1/edid
}
tries=0
until is_complete || [ "$tries" -ge 600 ]; do
  tries=$((tries + 1))
  sleep 0.5
done
ls -l /sys/block /sys/class/drm /sys/class/power_supply
# A virtual screen's connector is not called a built-in one. Its files stay the kernel's.
screen=$(readlink -f /sys/class/drm/card0-Virtual-1)
mount -t tmpfs drm /sys/class/drm
ln -s "$screen" /sys/class/drm/card0-eDP-1
mkdir -m 777 /tmp/root /tmp/user
(cd /tmp/root && ${SCRIPT})
su -s /bin/sh nobody -c 'cd /tmp/user && ${SCRIPT}'
for port in 1 2; do stty -F "/dev/ttyS$port" raw; done
cat /tmp/root/laptop-report.txt > /dev/ttyS1
cat /tmp/user/laptop-report.txt > /dev/ttyS2
sync
poweroff -f
`;

interface Programs {
  qemu: string;
  busybox: string;
  kernel: Kernel;
}

/** The commands that the script runs only where they are installed. */
interface OptionalPrograms {
  lspci: boolean;
  smartctl: boolean;
  /** The path of `swtpm`, a TPM of software; null when it or `tpm2-tools` is missing. */
  swtpm: string | null;
}

const tpmTools = ['tpm2_createprimary', 'tpm2_readpublic', 'tpm2_quote', 'tpm2_flushcontext'];

/** Copies the optional programs that this machine has. */
async function addOptionalPrograms(root: string): Promise<OptionalPrograms> {
  const add = async (names: readonly string[]): Promise<boolean> => {
    const paths = await Promise.all(names.map(findProgram));
    if (paths.includes(null)) return false;
    for (const path of paths) if (path !== null) await addProgram(root, path);
    return true;
  };
  const lspci =
    (await addFirstOf(root, ['/usr/share/misc/pci.ids', '/usr/share/hwdata/pci.ids'])) &&
    (await add(['lspci']));
  const library = 'libtss2-tcti-device.so.0';
  const hasTools =
    (await addFirstOf(root, [`/usr/lib/x86_64-linux-gnu/${library}`, `/usr/lib64/${library}`])) &&
    (await add(tpmTools));
  const swtpm = hasTools ? await findProgram('swtpm') : null;
  return { lspci, smartctl: await add(['smartctl']), swtpm };
}

/** Starts a TPM of software. @returns QEMU's options for it, and the program */
async function startTpm(
  folder: string,
  swtpm: string,
): Promise<{ options: string[]; program: ChildProcess }> {
  const socket = join(folder, 'tpm-socket');
  const state = join(folder, 'tpm');
  await mkdir(state);
  const program = spawn(
    swtpm,
    ['socket', '--tpm2', '--tpmstate', `dir=${state}`, '--ctrl', `type=unixio,path=${socket}`],
    { stdio: 'ignore' },
  );
  await once(program, 'spawn');
  while (!(await exists(socket))) {
    if (program.exitCode !== null) throw new Error(`swtpm ended with ${program.exitCode}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const options = [
    ...['-chardev', `socket,id=tpm,path=${socket}`],
    ...['-tpmdev', 'emulator,id=tpm0,chardev=tpm', '-device', 'tpm-crb,tpmdev=tpm0'],
  ];
  return { options, program };
}

/** Creates an empty drive that needs no space. @returns QEMU's options for it */
async function createDrive(folder: string, name: string, bytes: number): Promise<string[]> {
  const file = join(folder, `drive-${name}`);
  await run('truncate', ['-s', String(bytes), file]);
  return ['-drive', `file=${file},format=raw,if=none,id=${name}`];
}

/** QEMU's options for the laptop. */
async function laptopOptions(folder: string): Promise<string[]> {
  const table = join(folder, 'acpi');
  await writeFile(table, batteryTable(batteries));
  const { others, nvme, sata, screen } = laptop;
  const system = `manufacturer=${laptop.maker},product=20S0,version=${laptop.model},serial=${laptop.serial}`;
  const options = [
    ...['-machine', 'q35', '-m', `${laptop.memory}G`],
    // The processor's own name; the rest is QEMU's smallest one.
    ...['-cpu', `qemu64,vendor=GenuineIntel,model-id=${laptop.processor}`],
    ...['-smbios', 'type=0,vendor=LENOVO,version=N2XET38W,date=03/15/2023'],
    ...['-smbios', `type=1,${system}`],
    ...['-smbios', `type=2,manufacturer=${laptop.maker},product=${laptop.boardModel},serial=${laptop.board}`],
    ...['-smbios', 'type=17,manufacturer=Samsung,speed=2667'],
    ...['-acpitable', `sig=SSDT,rev=2,data=${table}`],
    ...['-vga', 'none', '-device', `virtio-vga,edid=on,xres=${screen.width},yres=${screen.height}`],
    // With a subsystem, the kernel lists each path of the drive as well.
    ...[
      '-device',
      'nvme-subsys,id=subsystem',
      '-device',
      `nvme,id=nvme,serial=${nvme.serial},subsys=subsystem`,
    ],
    ...['-device', 'nvme-ns,drive=own,bus=nvme'],
    ...[
      '-device',
      `ide-hd,drive=second,bus=ide.0,model=${sata.model},serial=${sata.serial},rotation_rate=5400`,
    ],
    ...['-device', 'qemu-xhci,id=usb', '-device', 'usb-storage,drive=stick,bus=usb.0'],
    ...['-device', 'usb-uas,id=uas,bus=usb.0', '-device', 'scsi-hd,drive=uas,bus=uas.0'],
    ...['-device', 'sdhci-pci', '-device', 'sd-card,drive=card'],
    ...['-device', 'virtio-scsi-pci,id=virtual', '-device', 'scsi-hd,drive=virtual,bus=virtual.0'],
  ];
  const drives = await Promise.all([
    createDrive(folder, 'own', nvme.bytes),
    createDrive(folder, 'second', sata.bytes),
    ...Object.entries(others).map(([name, bytes]) => createDrive(folder, name, bytes)),
  ]);
  return [...drives.flat(), ...options];
}

/** Starts the virtual laptop. @returns the reports that root and a user have written, and what the script could use */
async function measure(
  folder: string,
  { qemu, busybox, kernel }: Programs,
): Promise<{ reports: { root: string; user: string }; optional: OptionalPrograms }> {
  const root = await createRoot(folder, busybox, kernel, modules, {
    init,
    'linux.sh': await readFile(join(import.meta.dirname, '../../inspect/linux.sh'), 'utf8'),
    'etc/os-release': `PRETTY_NAME="${laptop.system}"\n`,
    'etc/passwd': 'root:x:0:0::/:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n',
  });
  const optional = await addOptionalPrograms(root);
  const initrd = await packRoot(folder, root, busybox);
  const file = (name: string) => join(folder, name);
  const tpm = optional.swtpm === null ? null : await startTpm(folder, optional.swtpm);
  try {
    await run(
      qemu,
      [
        // Emulated, because KVM inside another virtual machine may hang.
        ...['-accel', 'tcg', '-display', 'none', '-no-reboot', '-nic', 'none'],
        ...(await laptopOptions(folder)),
        ...(tpm?.options ?? []),
        ...['-serial', `file:${file('console')}`],
        ...['-serial', `file:${file('report-root')}`, '-serial', `file:${file('report-user')}`],
        ...['-kernel', kernel.image, '-initrd', initrd, '-append', 'console=ttyS0 panic=-1'],
      ],
      { timeoutMs: TIMEOUT_MS },
    );
  } finally {
    tpm?.program.kill();
  }
  const [asRoot, asUser] = await Promise.all(
    ['report-root', 'report-user'].map((name) => readFile(file(name), 'utf8')),
  );
  return { reports: { root: asRoot ?? '', user: asUser ?? '' }, optional };
}

const from = (source: string, value: unknown) => ({ value, source });

/** What the server must read of the laptop. */
function expectedReading(person: 'root' | 'user', optional: OptionalPrograms): Record<string, unknown> {
  const isRoot = person === 'root';
  // What QEMU's drives say of themselves (hw/nvme/ctrl.c, hw/ide/core.c). smartctl needs root.
  const unknown = { hours: null, wear: null, healthy: null };
  const isChecked = isRoot && optional.smartctl;
  const nvmeHealth = isChecked ? { hours: 0, wear: 0, healthy: true } : unknown;
  const sataHealth = isChecked ? { hours: 1, wear: null, healthy: true } : unknown;
  return {
    maker: from('firmware', laptop.maker),
    model: from('firmware', laptop.model),
    serial: isRoot ? from('firmware', 'PF3…DE') : null,
    board: from('firmware', `${laptop.maker} ${laptop.boardModel}`),
    firmwareDate: from('firmware', '2023-03-15'),
    processor: from('system', laptop.processor),
    // A user reads only the system's total, which need not be called a measured value.
    memory: [laptop.memory, isRoot ? 'firmware' : 'system'],
    memoryModules: isRoot ? from('firmware', [{ gigabytes: laptop.memory, kind: null, speed: 2667 }]) : null,
    drives: [
      { model: 'QEMU NVMe Ctrl', gigabytes: 512, kind: 'SSD', ...nvmeHealth },
      { model: laptop.sata.model, gigabytes: 1000, kind: 'HDD', ...sataHealth },
    ],
    screen: from('screen', laptop.screen),
    graphics: [optional.lspci ? 'Red Hat, Inc. Virtio 1.0 GPU' : 'Adapter of unknown model'],
    system: from('system', laptop.system),
    battery: from('battery', combinedBattery),
    locks: {
      firmwarePassword: 'unknown',
      absolute: 'unknown',
      management: 'unknown',
      activationLock: 'unknown',
    },
    tpm: isRoot && optional.swtpm !== null ? 'quoted' : 'unknown',
    'identity: maker': laptop.maker,
    'identity: serial': isRoot ? laptop.serial : null,
    'identity: boardSerial': isRoot ? laptop.board : null,
    'identity: driveSerials': [laptop.nvme.serial],
    'identity: has the key of a TPM': isRoot && optional.swtpm !== null,
  };
}

/** Compares a report with what the virtual laptop was given. @returns the differences */
function findDifferences(text: string, expected: Record<string, unknown>): string[] {
  const report = parseReport(text);
  if ('problem' in report) return [report.problem];
  const reading = readReport(report);
  if ('problem' in reading) return [reading.problem];
  const { machine, identity } = reading;
  const { tpmKey, ...identities } = identity;
  const read: Record<string, unknown> = {
    ...machine,
    memory: Object.values(machine.memory ?? {}),
    ...Object.fromEntries(Object.entries(identities).map(([name, value]) => [`identity: ${name}`, value])),
    'identity: has the key of a TPM': tpmKey !== null,
  };
  const names = new Set([...Object.keys(expected), ...Object.keys(read)]);
  return [...names].flatMap((name) =>
    isDeepStrictEqual(read[name], expected[name])
      ? []
      : [`${name}: ${JSON.stringify(expected[name])} set, ${JSON.stringify(read[name])} read`],
  );
}

function sayWhatIsMissing(missing: readonly string[]): void {
  console.error(`Nothing was run, because something is missing: ${missing.join(', ')}.`);
  console.error(`On Debian: sudo apt-get install ${missing.join(' ')}`);
  if (missing.includes('linux-image-amd64')) {
    console.error(
      'INSPECT_KERNEL can name a folder into which dpkg -x has unpacked this package, after depmod -b FOLDER VERSION.',
    );
  }
}

async function main(): Promise<number> {
  const [qemu, busybox, kernel] = await Promise.all([
    findProgram('qemu-system-x86_64'),
    findProgram('busybox'),
    findKernel(process.env.INSPECT_KERNEL ?? '/'),
  ]);
  if (qemu === null || busybox === null || kernel === null) {
    sayWhatIsMissing([
      ...(qemu === null ? ['qemu-system-x86'] : []),
      ...(busybox === null ? ['busybox-static'] : []),
      ...(kernel === null ? ['linux-image-amd64'] : []),
    ]);
    return SOMETHING_IS_MISSING;
  }
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-vm-'));
  try {
    say(`Starting a virtual laptop with ${kernel.image}.`);
    const { reports, optional } = await measure(folder, { qemu, busybox, kernel });
    if (!optional.lspci)
      say('Not checked, because pciutils is not installed: the names of graphics adapters.');
    if (!optional.smartctl) say('Not checked, because smartmontools is not installed: the health of drives.');
    if (optional.swtpm === null) say('Not checked, because swtpm and tpm2-tools are not installed: the TPM.');
    const differences = (['root', 'user'] as const).flatMap((person) =>
      findDifferences(reports[person], expectedReading(person, optional)).map(
        (difference) => `As ${person}, ${difference}`,
      ),
    );
    for (const difference of differences) console.error(difference);
    say(
      differences.length === 0
        ? 'Every value of both reports is what the virtual laptop was given.'
        : 'The reports are wrong.',
    );
    return differences.length === 0 ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    const consoleText = await readFile(join(folder, 'console'), 'utf8').catch(() => '');
    console.error(consoleText.slice(-2000));
    return 1;
  } finally {
    await rm(folder, { recursive: true });
  }
}

process.exitCode = await main();
