import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { StorageError } from '#server/listings/photos/storage.ts';
import { openSecrets, secretFilePath } from '#server/platform/secrets.ts';
import { ConfigurationError } from '../configuration/config.ts';
import { BackupError } from './archive.ts';
import { createBackupFile } from './backup.ts';
import {
  createProgressReporter,
  describeBackup,
  describeMissingPhotos,
  type OpenedShop,
  print,
  restoreInto,
  withShop,
} from './command-line.ts';
import { archiveFile } from './read-archive.ts';

const usage = 'Usage: npm run backup -- FILE, or npm run restore -- FILE [--replace|--verify]';

/** The exit code of a backup that is complete except for photos that the shop's storage has lost. */
const EXIT_PHOTOS_MISSING = 3;

async function backUp(
  { config, dataFolder, photos, connectionString }: OpenedShop,
  file: string,
): Promise<void> {
  const { fingerprint } = await openSecrets(config.secret, dataFolder);
  const secretFile = config.secret === null ? secretFilePath(dataFolder) : null;
  const source = { connectionString, photos, secretFile, secretFingerprint: fingerprint };
  const manifest = await createBackupFile(source, file, createProgressReporter('Reading'));
  print(`Backed up ${describeBackup(manifest)} to ${file}.`);
  if (manifest.missingPhotos.count > 0) {
    console.error(
      `${describeMissingPhotos(manifest)} from ${photos?.description}; the backup lacks what is missing.`,
    );
    process.exitCode = EXIT_PHOTOS_MISSING;
  }
  print(
    secretFile === null
      ? 'It can only be restored with the same COOMERCIO_SECRET: store that separately.'
      : 'It holds the shop’s secret and its people’s data: keep it where only you can read it.',
  );
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { replace: { type: 'boolean', default: false }, verify: { type: 'boolean', default: false } },
});
const [command, file, ...rest] = positionals;
const isKnown = command === 'restore' || (command === 'backup' && !values.replace && !values.verify);
if (!isKnown || file === undefined || rest.length > 0 || (values.replace && values.verify)) {
  console.error(usage);
  process.exitCode = 2;
} else {
  try {
    await withShop((shop) =>
      command === 'backup'
        ? backUp(shop, resolve(file))
        : restoreInto(shop, archiveFile(resolve(file)), values),
    );
  } catch (error) {
    const hasMessage =
      error instanceof BackupError || error instanceof ConfigurationError || error instanceof StorageError;
    console.error(hasMessage ? error.message : `That did not work: ${String(error)}`);
    process.exitCode = 1;
  }
}
