import { mkdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createIdentity } from '#identity/provider.ts';
import { type Config, ConfigurationError, readConfig } from '../config.ts';
import { startEmbeddedPostgres } from '../database/embedded/start.ts';
import { createQueue } from '../jobs/queue.ts';
import { createLogger } from '../operations/log.ts';
import { openPhotoStorage } from '../photo-storage.ts';
import { StorageError } from '../photos/storage.ts';
import { markOf, openSecrets } from '../secrets.ts';
import { BackupProblem } from './archive.ts';
import { type BackupSummary, backUp, secretFileIn } from './backup.ts';
import type { PhotoProgress } from './export-photos.ts';
import { restore } from './restore.ts';

const usage = 'Usage: npm run backup -- FILE, or npm run restore -- FILE [--replace]';

const say = (line: string) => process.stdout.write(`${line}\n`);

/** How often it is said how far the photos are, in milliseconds. */
const SAY_EVERY = 3_000;

/** The exit code of a backup that stands, and lacks photos that the shop has lost. */
const PHOTOS_MISSING = 3;

function saying(what: string): PhotoProgress {
  let said = Date.now();
  return (done, of) => {
    if (Date.now() - said < SAY_EVERY) return;
    said = Date.now();
    say(`${what} photos: ${done} of ${of}.`);
  };
}

/** Does something with the shop's database, started for it if need be. */
async function withDatabase<Answer>(
  config: Config,
  dataFolder: string,
  work: (connectionString: string) => Promise<Answer>,
): Promise<Answer> {
  if (config.databaseUrl !== null) return work(config.databaseUrl);
  const postgres = await startEmbeddedPostgres({ folder: join(dataFolder, 'postgres'), log: say });
  try {
    return await work(postgres.connectionString);
  } finally {
    await postgres.stop();
  }
}

function told({ tables, rows, photos, bytes }: BackupSummary): string {
  const files =
    photos === null
      ? 'no photos (another host keeps them)'
      : `${photos} ${photos === 1 ? 'file' : 'files'} of photos`;
  return `${rows} rows of ${tables} tables and ${files} (${(bytes / 1_000_000).toFixed(1)} MB)`;
}

function toldMissing({ missingPhotos: { count, first } }: BackupSummary): string {
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
      const { mark } = await openSecrets(config.secret, dataFolder);
      const secretFile = config.secret === null ? secretFileIn(dataFolder) : null;
      const source = { connectionString, photos, secretFile, secretMark: mark };
      const summary = await backUp(source, file, saying('Reading'));
      say(`Backed up ${told(summary)} to ${file}.`);
      if (summary.missingPhotos.count > 0) {
        console.error(
          `${toldMissing(summary)} from ${photos?.description}; the backup lacks what is missing.`,
        );
        process.exitCode = PHOTOS_MISSING;
      }
      say(
        secretFile === null
          ? 'It is good for nothing without COOMERCIO_SECRET: keep that, apart from it.'
          : 'It holds the shop’s secret and its people’s data: keep it where only you can read it.',
      );
      return;
    }
    say(`Checking ${file} before anything is written.`);
    const summary = await restore(
      {
        connectionString,
        photos,
        secretFile: secretFileIn(dataFolder),
        configuredMark: config.secret === null ? null : markOf(config.secret),
        markOf,
        prepareIdentity: async () => {
          const identity = await createIdentity(
            {
              databaseUrl: connectionString,
              origin: config.origin,
              trustedOrigins: [],
              // What it signs and seals with this is emptied again before the backup's rows come.
              secret: 'for making tables, and for nothing that stays',
              serviceSecret: 'for making tables, and for nothing that stays',
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
      { replace, progress: saying('Writing'), tell: say },
    );
    say(`Restored ${told(summary)} from ${file}.`);
    if (summary.missingPhotos.count > 0) {
      console.error(`${toldMissing(summary)} since before the backup was made.`);
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
    const known =
      error instanceof BackupProblem || error instanceof ConfigurationError || error instanceof StorageError;
    console.error(known ? error.message : `That did not work: ${String(error)}`);
    process.exitCode = 1;
  }
}
