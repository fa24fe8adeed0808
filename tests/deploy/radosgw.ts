import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import { freePorts } from '#tests/harness/platform/ports.ts';
import { findProgram, type RunningProgram, startProgram } from '#tests/harness/platform/programs.ts';

const runProgram = promisify(execFile);

const accessKeyId = 'AKIASHOP';
const secretAccessKey = 'a secret of this trial only';

const programs = [
  ...['ceph-authtool', 'monmaptool', 'ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'ceph'],
] as const;

/** Returns those of Ceph's programs that this machine lacks. */
export const missingPrograms = () => programs.filter((name) => findProgram(name) === null);

const settings = (folder: string, id: string, ports: { monitor: number; gateway: number }) => `[global]
fsid = ${id}
mon host = [v2:127.0.0.1:${ports.monitor},v1:127.0.0.1:${ports.monitor + 1}]
public addr = 127.0.0.1
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd crush chooseleaf type = 0
mon allow pool size one = true
mon data avail crit = 0
run dir = ${folder}
admin socket = ${folder}/$name.asok
log file = ${folder}/$name.log
pid file = ${folder}/$name.pid
keyring = ${folder}/keyring
mon data = ${folder}/mon
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 1073741824
osd class update on start = false
rgw data = ${folder}/rgw
rgw frontends = beast endpoint=127.0.0.1:${ports.gateway}
`;

/** An object store for a trial, with the credentials of its only user. */
export interface TriedStore extends AsyncDisposable {
  /** Its name and version. */
  version: string;
  endpoint: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  /** Accepts connections and answers nothing, until it is thawed. */
  freeze(): void;
  thaw(): void;
}

/** Starts Ceph's object gateway with one monitor and one storage daemon that keeps its data in memory. */
export async function startRadosgw(folder: string): Promise<TriedStore> {
  const monitor = await freePorts(3);
  const gateway = monitor + 2;
  const id = randomUUID();
  const configuration = join(folder, 'ceph.conf');
  for (const name of ['mon', 'osd', 'rgw']) await mkdir(join(folder, name), { recursive: true });
  await writeFile(configuration, settings(folder, id, { monitor, gateway }));
  const common = ['-c', configuration];
  const path = (name: (typeof programs)[number]) => findProgram(name) ?? name;
  const run = async (name: (typeof programs)[number], args: string[]) =>
    (await runProgram(path(name), args, { cwd: folder, timeout: 60_000 })).stdout;

  const keyring = join(folder, 'keyring');
  await run('ceph-authtool', [
    '--create-keyring',
    keyring,
    '--gen-key',
    '-n',
    'mon.',
    '--cap',
    'mon',
    'allow *',
  ]);
  const admin = ['--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *', '--cap', 'mgr', 'allow *'];
  await run('ceph-authtool', [keyring, '--gen-key', '-n', 'client.admin', ...admin]);
  const daemon = ['--cap', 'mon', 'allow profile osd', '--cap', 'osd', 'allow *'];
  await run('ceph-authtool', [keyring, '--gen-key', '-n', 'osd.0', ...daemon]);
  const addresses = `[v2:127.0.0.1:${monitor},v1:127.0.0.1:${monitor + 1}]`;
  await run('monmaptool', ['--create', '--addv', 'a', addresses, '--fsid', id, join(folder, 'monmap')]);
  const monmap = ['--monmap', join(folder, 'monmap'), '--keyring', keyring];
  await run('ceph-mon', [...common, '--mkfs', '-i', 'a', ...monmap]);

  const running: RunningProgram[] = [startProgram(path('ceph-mon'), [...common, '-i', 'a', '-f'])];
  try {
    await run('ceph', [...common, '--connect-timeout', '30', 'status']);
    await run('ceph-osd', [...common, '-i', '0', '--mkfs', '--osd-uuid', randomUUID()]);
    running.push(startProgram(path('ceph-osd'), [...common, '-i', '0', '-f']));
    const user = ['user', 'create', '--uid=shop', '--display-name=shop'];
    await run('radosgw-admin', [
      ...[...common, ...user, `--access-key=${accessKeyId}`, `--secret-key=${secretAccessKey}`],
    ]);
    const server = startProgram(path('radosgw'), [...common, '-n', 'client.admin', '-f']);
    running.push(server);
    const endpoint = `http://127.0.0.1:${gateway}`;
    await vi.waitFor(async () => (await fetch(endpoint)).arrayBuffer(), { timeout: 60_000, interval: 200 });
    const version = /ceph version ([\d.]+)/.exec(await run('radosgw', ['--version']))?.[1];
    return {
      version: `radosgw ${version}`,
      endpoint,
      credentials: { accessKeyId, secretAccessKey },
      freeze: server.freeze,
      thaw: server.thaw,
      [Symbol.asyncDispose]: () => stopAll(running),
    };
  } catch (error) {
    await stopAll(running);
    throw error;
  }
}

/** Stops programs in reverse order. */
async function stopAll(running: readonly RunningProgram[]): Promise<void> {
  for (const program of [...running].reverse()) await program[Symbol.asyncDispose]();
}
