import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import {
  canEnter,
  giveToOwnerOf,
  openFolder,
  run,
  type SystemUser,
  systemUserFor,
} from './embedded-places.ts';
import { ifPresent } from './embedded-process.ts';

const user = 'coomercio';
const majorVersion = '18';

const clusterRecord = z.object({
  id: z.string().regex(/^[0-9a-f]{16}$/),
  directory: z.string(),
  port: z.number().int(),
  password: z.string(),
});
/** What is kept about a cluster beside its data, in `cluster.json`. */
export type ClusterRecord = z.infer<typeof clusterRecord>;

/** The URL by which the cluster's superuser reaches the database `name`. */
export const urlOf = (record: ClusterRecord, name: string) =>
  `postgresql://${user}:${record.password}@127.0.0.1:${record.port}/${name}`;

/** The name that all processes of the cluster carry. */
export const clusterName = (id: string) => `coomercio-${id}`;

/**
 * The record in `folder`, or a new one with a place for its data.
 *
 * @throws Error when the folder holds data but no record.
 */
export async function readRecord(folder: string): Promise<ClusterRecord> {
  const text = await ifPresent(readFile(join(folder, 'cluster.json'), 'utf8'));
  if (text !== undefined) {
    const record = clusterRecord.parse(JSON.parse(text));
    // The folder may have been moved as a whole since.
    return record.directory.startsWith('/')
      ? record
      : { ...record, directory: join(folder, record.directory) };
  }
  if ((await ifPresent(stat(join(folder, 'data')))) !== undefined) {
    throw new Error(
      `${folder} holds a database but not its password (cluster.json): put that file back or move the folder away.`,
    );
  }
  const id = randomBytes(8).toString('hex');
  const systemUser = await systemUserFor(join(folder, 'data'), folder);
  let directory = join(folder, 'data');
  if (!(await canEnter(folder, systemUser))) {
    const clusters = join(await openFolder(), 'clusters', id);
    await mkdir(clusters, { recursive: true });
    await chmod(dirname(clusters), 0o755);
    await chmod(clusters, 0o755);
    await writeFile(join(clusters, 'origin'), `${folder}\n`);
    directory = join(clusters, 'data');
  }
  const record = { id, directory, port: 0, password: randomBytes(24).toString('hex') };
  await writeRecord(folder, record);
  return record;
}

/** Replaces the record in `folder`. */
export async function writeRecord(folder: string, record: ClusterRecord): Promise<void> {
  const inside = record.directory === join(folder, 'data');
  const path = join(folder, 'cluster.json');
  const text = JSON.stringify({ ...record, directory: inside ? 'data' : record.directory }, undefined, 2);
  await writeFile(`${path}.new`, `${text}\n`, { mode: 0o600 });
  await giveToOwnerOf(folder, `${path}.new`);
  await rename(`${path}.new`, path);
}

/**
 * Creates the cluster's data directory unless it is there.
 *
 * @throws Error when it was written by another major version, or cannot be made.
 */
export async function prepareData(
  folder: string,
  record: ClusterRecord,
  programs: string,
  systemUser: SystemUser | undefined,
  log: (message: string) => void,
): Promise<void> {
  const version = await ifPresent(readFile(join(record.directory, 'PG_VERSION'), 'utf8'));
  if (version?.trim() === majorVersion) return;
  if (version !== undefined) {
    throw new Error(
      `${record.directory} was written by PostgreSQL ${version.trim()}, this is ${majorVersion}: restore a backup into a new folder.`,
    );
  }
  log(`Creating a database in ${folder}.`);
  const parent = dirname(record.directory);
  // Made under another name and renamed, so that a start that is cut off never leaves half a cluster behind.
  const unfinished = join(parent, 'data.new');
  const passwordFile = join(parent, 'password.new');
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  await writeFile(passwordFile, record.password, { mode: 0o600 });
  if (systemUser) {
    for (const path of [unfinished, passwordFile]) await chown(path, systemUser.uid, systemUser.gid);
  }
  try {
    const ended = await run(
      join(programs, 'initdb'),
      [
        ...['--pgdata', unfinished, '--username', user, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
        // The built-in provider needs no locale from the operating system and sorts alike everywhere.
        ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      ],
      systemUser,
    );
    if (ended.code !== 0) throw new Error(`The database could not be created: ${ended.output.trim()}`);
  } finally {
    await rm(passwordFile, { force: true });
  }
  await rename(unfinished, record.directory);
}
