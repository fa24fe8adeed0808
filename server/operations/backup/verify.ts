import type { Client } from 'pg';
import { StorageError } from '#server/listings/photos/storage.ts';
import { migrationNames } from '#server/platform/database/migrate.ts';
import { fingerprintOf } from '#server/platform/secrets.ts';
import { BackupError, type Manifest } from './archive.ts';
import { createLongLivedClient } from './backup.ts';
import { PHOTO_PREFIX, type PhotoProgress } from './export-photos.ts';
import { tablePreparation } from './prepare-tables.ts';
import { type ArchiveEntry, type ArchiveSource, verifyArchive } from './read-archive.ts';
import { resolveSecret, writeContents } from './restore.ts';
import { prepareSchema } from './restore-target.ts';
import { configureSession, countRows, readLedgerBalances } from './rows.ts';
import { VerificationImpossible } from './scratch-database.ts';

/** How many keys of photos one statement inserts. */
const KEY_BATCH_SIZE = 1000;

/**
 * Reads the photos of an archive instead of writing them to a storage: reading compares each with its hash. Their keys are
 * kept in a temporary table, because there may be millions.
 */
function createPhotoCheck(client: Client, signal: AbortSignal | undefined) {
  return {
    async write(
      entries: AsyncIterator<ArchiveEntry, unknown>,
      manifest: Pick<Manifest, 'photos'>,
      onProgress: PhotoProgress,
    ): Promise<void> {
      await client.query('create temporary table photos_in_backup (key text not null)');
      let batch: string[] = [];
      let count = 0;
      const insert = async () => {
        await client.query('insert into photos_in_backup select unnest($1::text[])', [batch]);
        batch = [];
      };
      for (;;) {
        signal?.throwIfAborted();
        const { value, done } = await entries.next();
        if (done === true) break;
        if (!value.name.startsWith(PHOTO_PREFIX)) continue;
        for await (const chunk of value.content) void chunk;
        batch.push(value.name.slice(PHOTO_PREFIX.length));
        count += 1;
        onProgress(count, manifest.photos ?? 0);
        if (batch.length === KEY_BATCH_SIZE) await insert();
      }
      await insert();
      if (count !== manifest.photos) {
        throw new BackupError(`It has ${count} photos instead of ${manifest.photos}.`);
      }
    },
  };
}

/** Compares restored rows with the manifest. @throws BackupError for the first difference */
async function compareRows(client: Client, manifest: Manifest): Promise<void> {
  for (const table of manifest.tables) {
    const count = await countRows(client, table);
    if (count === table.rows) continue;
    throw new BackupError(
      `${table.schema}.${table.name} has ${count} rows after the restore instead of ${table.rows}.`,
    );
  }
  if (manifest.ledgerBalances === undefined) return;
  const restored = new Map((await readLedgerBalances(client)).map(({ account, cents }) => [account, cents]));
  for (const { account, cents } of manifest.ledgerBalances) {
    if (restored.get(account) === cents) continue;
    throw new BackupError(
      `The ledger’s account ${account} has ${restored.get(account) ?? 0} cents after the restore instead of ${cents}.`,
    );
  }
}

/** Checks that each photo of a restored laptop is in the archive, except those that the shop had lost. @throws BackupError */
async function comparePhotos(client: Client, { photos, missingPhotos }: Manifest): Promise<void> {
  if (photos === null) return;
  const { rows } = await client.query<{ absent: number }>(
    `select count(*)::int as absent from photos_to_keep
      where urls <> '{}' and not exists (
        select from photos_in_backup where left(key, 64) = hash and key <> hash || '.json')`,
  );
  const absent = rows[0]?.absent ?? 0;
  if (absent > missingPhotos.count) {
    throw new BackupError(
      `Of the photos that laptops show it lacks ${absent}; the storage had lost ${missingPhotos.count}.`,
    );
  }
}

/**
 * Verifies a backup by restoring it: reads the archive twice, compares each entry with its hash, writes all rows into the
 * scratch database with their constraints and references, and compares row counts, the ledger's balances and the photos.
 * @param scratchUrl an empty database
 * @param shop.secretFingerprint of the shop's current secret, which the backup must have or need
 * @returns the manifest
 * @throws BackupError when the backup could not be restored or differs; VerificationImpossible; any other error says nothing
 *   about the backup
 */
export async function verifyByRestore(
  source: ArchiveSource,
  scratchUrl: string,
  shop: { secretFingerprint: string; origin: string },
  signal?: AbortSignal,
): Promise<Manifest> {
  const archive = await verifyArchive(source, signal);
  const { manifest } = archive;
  await resolveSecret(source, archive, {
    configuredFingerprint: manifest.secret.included ? null : shop.secretFingerprint,
    fingerprintOf,
  });
  const client = createLongLivedClient(scratchUrl);
  await client.connect();
  // Fails the statement under way, which may take minutes.
  const endConnection = () => void client.end();
  signal?.addEventListener('abort', endConnection, { once: true });
  try {
    await configureSession(client);
    const unknownMigrations = manifest.migrations.filter((name) => !migrationNames.includes(name));
    if (unknownMigrations.length > 0) {
      throw new VerificationImpossible(
        `A newer version of the shop has migrated the database (${unknownMigrations.join(', ')}), and this one cannot restore it.`,
      );
    }
    await prepareSchema(client, manifest, {
      connectionString: scratchUrl,
      ...tablePreparation(scratchUrl, shop.origin),
    });
    const photos = manifest.photos === null ? null : createPhotoCheck(client, signal);
    await writeContents(client, archive, source, photos, () => signal?.throwIfAborted());
    await comparePhotos(client, manifest);
    await client.query('commit');
    await compareRows(client, manifest);
    return manifest;
  } finally {
    signal?.removeEventListener('abort', endConnection);
    await client.end();
  }
}

/** PostgreSQL's classes of errors that the data of a backup cause: wrong values, broken constraints, missing columns. */
const DATA_ERRORS = /^(22|23|42(?!501))/;

/** Whether an error shows that a backup is wrong, and not that the server or the storage failed. */
export function refutesBackup(error: unknown): error is Error {
  if (error instanceof StorageError || !(error instanceof Error)) return false;
  if (error instanceof BackupError) return true;
  return 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)
    ? DATA_ERRORS.test(error.code)
    : false;
}
