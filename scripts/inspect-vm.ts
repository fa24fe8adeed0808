// `npm run inspect:vm`: runs inspect/linux.sh as root on a virtual laptop with a set serial number, and reads its report.

import { spawn } from 'node:child_process';
import { access, chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { measuredMemory, memoryModulesText } from '#contract/machine.ts';
import { readReport } from '#server/inspections/reading/read-report.ts';
import { parseReport } from '#server/inspections/reading/report.ts';

/** The exit code when a program is missing, apart from 1 for a wrong report. */
const SOMETHING_IS_MISSING = 3;
/** The emulated machine needs about ten seconds. */
const TIMEOUT_MS = 180_000;

const laptop = {
  maker: 'LENOVO',
  model: 'ThinkPad T14 Gen 1',
  serial: 'PF3ABCDE',
  board: 'L1HF0AB01CD',
  boardModel: '20S0000LUS',
  drive: 'S4ENNX0N123456',
};

const say = (text: string) => void process.stdout.write(`${text}\n`);

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

async function findProgram(name: string): Promise<string | null> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (folder !== '' && (await isThere(join(folder, name)))) return join(folder, name);
  }
  return null;
}

/** A kernel with NVMe and serial ports built in, such as Debian's for virtual machines. */
async function findKernel(): Promise<string | null> {
  if (process.env.INSPECT_KERNEL !== undefined) return process.env.INSPECT_KERNEL;
  const kernels = (await readdir('/boot').catch(() => [])).filter((name) =>
    /^vmlinuz-.*-cloud-amd64$/.test(name),
  );
  const newest = kernels.sort().at(-1);
  return newest === undefined ? null : join('/boot', newest);
}

/** The first program of the virtual machine. It writes the report to the second serial port, whose end the host reads. */
const init = `#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
cd /tmp
sh /linux.sh http://shop.example 0000-0000-0000 --file
stty -F /dev/ttyS1 raw
cat coomercio-report.txt > /dev/ttyS1
sync
poweroff -f
`;

/** Runs a program to its end. @throws Error when it fails or takes too long */
function run(
  program: string,
  args: readonly string[],
  options: { cwd?: string; input?: string } = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: TIMEOUT_MS,
    });
    const chunks: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      // QEMU exits with 0 when the timeout ends it.
      if (code === 0 && !child.killed) resolve(Buffer.concat(chunks));
      else
        reject(
          new Error(
            `${program} ended with ${child.killed ? 'a timeout' : (signal ?? code)}: ${Buffer.concat(errors).toString().trim()}`,
          ),
        );
    });
    child.stdin.on('error', reject);
    // Nothing is written to a program without input, because it may have ended already.
    if (options.input === undefined) child.stdin.destroy();
    else child.stdin.end(options.input);
  });
}

/** An initial file system with BusyBox and the script. @returns its path */
async function createFileSystem(folder: string, busybox: string): Promise<string> {
  const root = join(folder, 'root');
  for (const name of ['bin', 'proc', 'sys', 'dev', 'tmp']) await mkdir(join(root, name), { recursive: true });
  await copyFile(busybox, join(root, 'bin/busybox'));
  await copyFile(join(import.meta.dirname, '../inspect/linux.sh'), join(root, 'linux.sh'));
  await writeFile(join(root, 'init'), init);
  await chmod(join(root, 'init'), 0o755);
  const names = ['.', 'bin', 'bin/busybox', 'proc', 'sys', 'dev', 'tmp', 'linux.sh', 'init'];
  const archive = await run(busybox, ['cpio', '-o', '-H', 'newc'], {
    cwd: root,
    input: `${names.join('\n')}\n`,
  });
  await writeFile(join(folder, 'initrd'), archive);
  return join(folder, 'initrd');
}

/** Starts the virtual laptop. @returns the report that it wrote */
async function measure(
  folder: string,
  programs: { qemu: string; busybox: string; kernel: string },
): Promise<string> {
  const initrd = await createFileSystem(folder, programs.busybox);
  const drive = join(folder, 'drive');
  await run('truncate', ['-s', '512110190592', drive]);
  const report = join(folder, 'report');
  await run(programs.qemu, [
    // Emulated, because KVM inside another virtual machine may hang.
    ...['-accel', 'tcg', '-m', '1024', '-display', 'none', '-no-reboot', '-nic', 'none'],
    ...[
      '-smbios',
      `type=1,manufacturer=${laptop.maker},product=20S0,version=${laptop.model},serial=${laptop.serial}`,
    ],
    ...['-smbios', `type=2,manufacturer=${laptop.maker},product=${laptop.boardModel},serial=${laptop.board}`],
    ...[
      '-drive',
      `file=${drive},format=raw,if=none,id=drive`,
      '-device',
      `nvme,drive=drive,serial=${laptop.drive}`,
    ],
    ...['-serial', `file:${join(folder, 'console')}`, '-serial', `file:${report}`],
    ...['-kernel', programs.kernel, '-initrd', initrd, '-append', 'console=ttyS0 panic=-1'],
  ]);
  return readFile(report, 'utf8');
}

/** Compares what the server reads with what the virtual laptop was given. @returns the differences */
function findDifferences(text: string): string[] {
  const report = parseReport(text);
  if ('problem' in report) return [report.problem];
  const reading = readReport(report);
  if ('problem' in reading) return [reading.problem];
  const { machine, identity } = reading;
  say(JSON.stringify(machine, null, 2));
  const expected = {
    maker: laptop.maker,
    model: laptop.model,
    serial: laptop.serial,
    board: laptop.board,
    'shown board': `${laptop.maker} ${laptop.boardModel}`,
    drive: laptop.drive,
    'memory in GB': 1,
    'memory modules': '1 GB',
    'drive in GB': 512,
    'shown serial': 'PF3…DE',
  };
  const read: Record<keyof typeof expected, unknown> = {
    maker: identity.maker,
    model: machine.model?.value,
    serial: identity.serial,
    board: identity.boardSerial,
    'shown board': machine.board?.value,
    drive: identity.driveSerials[0],
    'memory in GB': measuredMemory(machine),
    'memory modules': memoryModulesText(machine),
    'drive in GB': machine.drives[0]?.gigabytes,
    'shown serial': machine.serial?.value,
  };
  return Object.entries(expected).flatMap(([name, value]) => {
    const got = Object.entries(read).find(([each]) => each === name)?.[1];
    return got === value ? [] : [`${name}: ${value} set, ${got} read`];
  });
}

async function main(): Promise<number> {
  const [qemu, busybox, kernel] = await Promise.all([
    findProgram('qemu-system-x86_64'),
    findProgram('busybox'),
    findKernel(),
  ]);
  if (qemu === null || busybox === null || kernel === null) {
    const missing = [
      qemu === null && 'qemu-system-x86',
      busybox === null && 'busybox-static',
      kernel === null && 'linux-image-cloud-amd64',
    ].filter(Boolean);
    console.error(`Nothing was run, because something is missing: ${missing.join(', ')}.`);
    console.error(`On Debian: sudo apt-get install ${missing.join(' ')}`);
    if (kernel === null)
      console.error('INSPECT_KERNEL can name another kernel with NVMe and serial ports built in.');
    return SOMETHING_IS_MISSING;
  }
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-vm-'));
  try {
    say(`Starting a virtual laptop with ${kernel}.`);
    const differences = findDifferences(await measure(folder, { qemu, busybox, kernel }));
    for (const difference of differences) console.error(difference);
    say(differences.length === 0 ? 'The report says what the virtual laptop is.' : 'The report is wrong.');
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
