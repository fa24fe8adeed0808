import { mkdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createIdentity } from '#identity/provider.ts';
import { type Config, ConfigurationError, readConfig } from '../config.ts';
import { startEmbeddedPostgres } from '../database/embedded/start.ts';
import { createQueue } from '../jobs/queue.ts';
import { createLogger } from '../operations/log.ts';
import { StorageError } from '../photos/storage.ts';
import { openPhotoStorage } from '../providers.ts';
import { fingerprintOf, openSecrets, secretFilePath } from '../secrets.ts';
import { BackupError } from './archive.ts';
import { type BackupSummary, createBackup } from './backup.ts';
import type { PhotoProgress } from './export-photos.ts';
import { restore } from './restore.ts';

const usage = 'Usage: npm run backup -- FILE, or npm run restore -- FILE [--replace]';

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Minimum time between two progress lines. */
const PROGRESS_INTERVAL_MS = 3_000;

/** The exit code of a backup that is complete except for photos that the shop's storage has lost. */
const EXIT_PHOTOS_MISSING = 3;

function createProgressReporter(activity: string): PhotoProgress {
  let lastPrinted = Date.now();
  return (done, total) => {
    if (Date.now() - lastPrinted < PROGRESS_INTERVAL_MS) return;
    lastPrinted = Date.now();
    print(`${activity} photos: ${done} of ${total}.`);
  };
}

/** Runs `work` with the configured database, or with the embedded one, which is started for it. */
async function withDatabase<Result>(
  config: Config,
  dataFolder: string,
  work: (connectionString: string) => Promise<Result>,
): Promise<Result> {
  const configured = config.databaseDirectUrl ?? config.databaseUrl;
  if (configured !== null) return work(configured);
  const postgres = await startEmbeddedPostgres({ folder: join(dataFolder, 'postgres'), log: print });
  try {
    return await work(postgres.connectionString);
  } finally {
    await postgres.stop();
  }
}

function describeBackup({ tables, rows, photos, bytes }: BackupSummary): string {
  const files =
    photos === null
      ? 'no photos (another host keeps them)'
      : `${photos} ${photos === 1 ? 'file' : 'files'} of photos`;
  return `${rows} rows of ${tables} tables and ${files} (${(bytes / 1_000_000).toFixed(1)} MB)`;
}

function describeMissingPhotos({ missingPhotos: { count, first } }: BackupSummary): string {
  return count === 1
    ? `1 photo that laptops show is missing (${first[0]})`
    : `${count} photos that laptops show are missing (${first[0]} and others)`;
}

async function run(command: 'backup' | 'restore', file: string, replace: boolean): Promise<void> {
  const config = readConfig(process.env);
  await mkdir(config.dataFolder, { recursive: true });
  const dataFolder = await realpath(config.dataFolder);
  const photos = await openPhotoStorage({ photos: config.photos, dataFolder });
  await withDatabase(config, dataFolder, async (connectionString) => {
    if (command === 'backup') {
      const { fingerprint } = await openSecrets(config.secret, dataFolder);
      const secretFile = config.secret === null ? secretFilePath(dataFolder) : null;
      const source = { connectionString, photos, secretFile, secretFingerprint: fingerprint };
      const summary = await createBackup(source, file, createProgressReporter('Reading'));
      print(`Backed up ${describeBackup(summary)} to ${file}.`);
      if (summary.missingPhotos.count > 0) {
        console.error(
          `${describeMissingPhotos(summary)} from ${photos?.description}; the backup lacks what is missing.`,
        );
        process.exitCode = EXIT_PHOTOS_MISSING;
      }
      print(
        secretFile === null
          ? 'It can only be restored with the same COOMERCIO_SECRET: store that separately.'
          : 'It holds the shop’s secret and its people’s data: keep it where only you can read it.',
      );
      return;
    }
    print(`Checking ${file} before anything is written.`);
    const summary = await restore(
      {
        connectionString,
        photos,
        secretFile: secretFilePath(dataFolder),
        configuredFingerprint: config.secret === null ? null : fingerprintOf(config.secret),
        fingerprintOf,
        prepareIdentity: async () => {
          const identity = await createIdentity(
            {
              databaseUrl: connectionString,
              origin: config.origin,
              trustedOrigins: [],
              // Only creates tables. Rows that are signed or encrypted with this are deleted before the import.
              secret: 'temporary secret, only to create the tables',
              serviceSecret: 'temporary secret, only to create the tables',
            },
            createLogger('error'),
          );
          await identity.close();
        },
        prepareQueue: async () => {
          const queue = createQueue(connectionString, (error) => console.error(error.message));
          await queue.start([]);
          await queue.stop();
        },
      },
      file,
      { replace, onProgress: createProgressReporter('Writing'), report: print },
    );
    print(`Restored ${describeBackup(summary)} from ${file}.`);
    if (summary.missingPhotos.count > 0) {
      console.error(`${describeMissingPhotos(summary)} since before the backup was made.`);
    }
  });
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { replace: { type: 'boolean', default: false } },
});
const [command, file, ...rest] = positionals;
if ((command !== 'backup' && command !== 'restore') || file === undefined || rest.length > 0) {
  console.error(usage);
  process.exitCode = 2;
} else {
  try {
    await run(command, resolve(file), values.replace);
  } catch (error) {
    const hasMessage =
      error instanceof BackupError || error instanceof ConfigurationError || error instanceof StorageError;
    console.error(hasMessage ? error.message : `That did not work: ${String(error)}`);
    process.exitCode = 1;
  }
}
