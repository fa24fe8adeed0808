import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { layOut } from '#tests/harness/operations/package.ts';
import { findProgram } from '#tests/harness/platform/programs.ts';
import { describePackage } from '../../scripts/package-contents.ts';

// deploy/install.sh and deploy/upgrade.sh on a bare Debian that systemd started. It shares the network of this machine, whose
// ports 80, 443, 3001, 3002 and 5432 must be free, and needs Debian's packages.

const execute = promisify(execFile);
const canTry =
  process.getuid?.() === 0 && findProgram('debootstrap') !== null && findProgram('systemd-nspawn') !== null;
if (!canTry) console.warn('Not root, or debootstrap or systemd-nspawn is missing: install.sh is not tried.');

const HOST = 'shop.localhost';
const settings = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: `hello@${HOST}`,
};

describe.skipIf(!canTry)('a bare Debian', () => {
  let machine: string;
  let leader: string;
  let container: ReturnType<typeof spawn>;
  const { name, version, files } = describePackage();

  /** Runs a program in the started machine. @throws Error with what it printed when it fails */
  async function run(program: string, ...args: string[]): Promise<string> {
    const environment = Object.entries({
      ...settings,
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    }).map(([key, value]) => `${key}=${value}`);
    const inside = ['-t', leader, '-m', '-u', '-i', '-p', 'env', '-i', '--chdir=/root', ...environment];
    const { stdout, stderr } = await execute('nsenter', [...inside, program, ...args], { timeout: 600_000 });
    return stdout + stderr;
  }

  const homePage = async () => {
    const page = await run('curl', '-sk', '--resolve', `${HOST}:443:127.0.0.1`, `https://${HOST}/`);
    return page.includes('</html>');
  };

  /** Makes a package of a later version with one change to it. */
  async function packLater(later: string, change: (folder: string) => Promise<void>): Promise<string> {
    const laterName = name.replace(version, later);
    const folder = join(machine, 'root', laterName);
    await layOut(files, folder);
    await change(folder);
    await run('tar', '-czf', `/root/${laterName}.tar.gz`, '-C', '/root', laterName);
    await rm(folder, { recursive: true });
    return `/root/${laterName}.tar.gz`;
  }

  beforeAll(async () => {
    machine = await mkdtemp(join(tmpdir(), 'coomercio-debian-'));
    // It is the root folder of all users there.
    await chmod(machine, 0o755);
    const include = '--include=systemd,systemd-sysv,dbus,ca-certificates,curl,procps';
    await execute('debootstrap', ['--variant=minbase', include, 'bookworm', machine], { maxBuffer: 1e8 });
    await copyFile('/etc/resolv.conf', join(machine, 'etc/resolv.conf'));
    await layOut(files, join(machine, 'opt', name));
    container = spawn('systemd-nspawn', ['--register=no', '--keep-unit', '-D', machine, '--boot'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    container.stdout?.resume();
    const children = `/proc/${container.pid}/task/${container.pid}/children`;
    await vi.waitFor(async () => {
      leader = (await readFile(children, 'utf8')).trim().split(' ')[0] ?? '';
      expect(await run('systemctl', 'list-units', '--plain', 'multi-user.target')).toContain('active');
    }, 60_000);
  }, 600_000);
  afterAll(async () => {
    await run('systemctl', 'poweroff');
    await once(container, 'close');
    await rm(machine, { recursive: true, force: true });
  });

  test('becomes a shop with one command, and again', { timeout: 600_000 }, async () => {
    const install = `/opt/${name}/deploy/install.sh`;
    // A password in clear text.
    const unsafe = run('env', 'SMTP_URL=smtp://shop:secret@mail.example:587', install, HOST);
    await expect(unsafe).rejects.toThrow('No value was kept.');
    expect(await run(install, HOST)).toContain(`The shop runs at https://${HOST}.`);
    expect(await homePage()).toBe(true);
    const before = await readFile(join(machine, 'etc/coomercio/settings'), 'utf8');
    await run(install, HOST);
    expect(await readFile(join(machine, 'etc/coomercio/settings'), 'utf8')).toBe(before);
    await expect(run(install, 'other.localhost')).rejects.toThrow('has another PUBLIC_ORIGIN');
  });

  test('is upgraded, and comes back from a version that does not start', { timeout: 600_000 }, async () => {
    const later = await packLater('98.0.0', async () => undefined);
    expect(await run('coomercio', 'upgrade', later)).toContain('98.0.0-linux-x64 runs.');
    const broken = await packLater('99.0.0', async (folder) => {
      await rename(join(folder, 'server/main.ts'), join(folder, 'server/other.ts'));
    });
    await expect(run('coomercio', 'upgrade', broken)).rejects.toThrow('so the old version runs again');
    expect(await homePage()).toBe(true);
    // This would go back to an older version without a backup.
    await expect(run(`/opt/${name}/deploy/install.sh`, HOST)).rejects.toThrow('coomercio upgrade FILE');
    await writeFile(join(machine, 'root/coomercio-97.0.0-linux-x64.tar.gz'), 'not a package');
    await expect(run('coomercio', 'upgrade', '/root/coomercio-97.0.0-linux-x64.tar.gz')).rejects.toThrow(
      'Nothing was changed',
    );
  });
});
