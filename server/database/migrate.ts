import { Kysely, type MigrationProvider, Migrator, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { withAdvisoryLock } from './advisory-locks.ts';
import * as shop from './migrations/0001-shop.ts';
import * as rateLimits from './migrations/0002-rate-limits.ts';
import * as bookkeeping from './migrations/0003-bookkeeping.ts';
import * as commandLine from './migrations/0004-command-line.ts';
import * as photos from './migrations/0005-photos.ts';
import * as refundFailures from './migrations/0006-refund-failures.ts';
import * as endedSessions from './migrations/0007-ended-sessions.ts';
import * as indexes from './migrations/0008-indexes.ts';
import * as laptopPhotos from './migrations/0009-laptop-photos.ts';
import * as laptopPhotosFilled from './migrations/0009-laptop-photos-2-fill.ts';
import * as laptopPhotosChecked from './migrations/0009-laptop-photos-3-check.ts';
import * as fairHolds from './migrations/0010-fair-holds.ts';
import * as idempotencyKeys from './migrations/0011-idempotency-keys.ts';
import * as erasedAddresses from './migrations/0012-erased-addresses.ts';
import * as provenAddresses from './migrations/0013-proven-addresses.ts';
import * as search from './migrations/0014-search.ts';
import * as cancelledBookings from './migrations/0015-cancelled-bookings.ts';
import * as listedAgain from './migrations/0016-listed-again.ts';
import * as savedSearches from './migrations/0017-saved-searches.ts';
import * as changeTags from './migrations/0018-change-tags.ts';
import * as editedLaptops from './migrations/0019-edited-laptops.ts';
import * as photoCaptions from './migrations/0020-photo-captions.ts';
import * as measurements from './migrations/0021-measurements.ts';
import * as duplicates from './migrations/0022-duplicates.ts';
import * as laptopDrafts from './migrations/0023-laptop-drafts.ts';
import * as levels from './migrations/0024-levels.ts';
import * as photoFingerprints from './migrations/0025-photo-fingerprints.ts';
import * as browserChecks from './migrations/0026-browser-checks.ts';
import * as inspectionDesk from './migrations/0027-inspection-desk.ts';
import * as photoKinds from './migrations/0028-photo-kinds.ts';
import * as certificates from './migrations/0029-certificates.ts';
import * as draftSlipCodes from './migrations/0030-draft-slip-codes.ts';
import * as tpm from './migrations/0031-tpm.ts';
import * as inspectionPhotos from './migrations/0032-inspection-photos.ts';
import * as workbench from './migrations/0033-workbench.ts';
import * as orders from './migrations/0034-orders.ts';
import * as draftChecks from './migrations/0035-draft-checks.ts';
import * as payouts from './migrations/0037-payouts.ts';
import * as payoutAccounts from './migrations/0039-payout-accounts.ts';
import * as sameLaptopChecks from './migrations/0040-same-laptop-checks.ts';
import * as accounting from './migrations/0041-accounting.ts';
import * as complaints from './migrations/0042-complaints.ts';
import * as coreValues from './migrations/0043-core-values.ts';
import * as orderPayables from './migrations/0044-order-payables.ts';
import * as sellerDays from './migrations/0045-seller-days.ts';
import * as photoFolder from './migrations/0046-photo-folder.ts';
import * as sellerTags from './migrations/0047-seller-tags.ts';
import * as backupState from './migrations/0048-backup-state.ts';
import * as exportIndexes from './migrations/0049-exports.ts';
import * as messages from './migrations/0050-messages.ts';
import * as messageNotices from './migrations/0051-message-notices.ts';
import * as messagePhotos from './migrations/0052-message-photos.ts';
import * as meetings from './migrations/0053-meetings.ts';
import * as messageReports from './migrations/0054-message-reports.ts';
import * as notifications from './migrations/0060-notifications.ts';
import * as live from './migrations/0061-live.ts';
import * as sellerChecks from './migrations/0062-seller-checks.ts';
import * as reviews from './migrations/0063-reviews.ts';
import * as phoneChecks from './migrations/0064-phone-checks.ts';
import * as toldChanges from './migrations/0066-told-changes.ts';
import * as reviewReports from './migrations/0068-review-reports.ts';
import * as proposalsOfADay from './migrations/0070-proposals-of-a-day.ts';
import * as waitingPushes from './migrations/0071-waiting-pushes.ts';
import * as lowestPrices from './migrations/0072-lowest-prices.ts';
import * as lowestPricesFilled from './migrations/0072-lowest-prices-2-fill.ts';
import * as battery from './migrations/0073-battery.ts';
import * as plannedMeetings from './migrations/0075-planned-meetings.ts';
import * as fewerNotificationIndexes from './migrations/0076-fewer-notification-indexes.ts';
import * as ledgerAccounts from './migrations/0077-ledger-accounts.ts';
import * as endedSales from './migrations/0078-ended-sales.ts';
import * as refunds from './migrations/0079-refunds.ts';
import * as payoutHolds from './migrations/0080-payout-holds.ts';
import * as books from './migrations/0081-books.ts';
import * as payoutAccountChanges from './migrations/0082-payout-account-changes.ts';
import * as standingReviews from './migrations/0083-standing-reviews.ts';
import * as failedNotes from './migrations/0084-failed-notes.ts';
import * as goodwillOfDisputedOrders from './migrations/0085-goodwill-of-disputed-orders.ts';
import * as memoryBounds from './migrations/0086-memory-bounds.ts';
import * as inspectionKinds from './migrations/0087-inspection-kinds.ts';
import * as endedEvidence from './migrations/0088-ended-evidence.ts';
import * as foundLocks from './migrations/0089-found-locks.ts';
import * as codeEndings from './migrations/0090-code-endings.ts';
import * as dueFailedItems from './migrations/0091-due-failed-items.ts';
import * as auditedReads from './migrations/0092-audited-reads.ts';
import * as unclaimedBytes from './migrations/0093-unclaimed-bytes.ts';
import * as namesAndDocuments from './migrations/0094-names-and-documents.ts';
import * as searchedConfigurations from './migrations/0097-searched-configurations.ts';
import * as conversationsWithMeetings from './migrations/0099-conversations-with-meetings.ts';

/** All migrations in order. There are no down migrations, and a released migration is never edited. */
const migrations = {
  '0001-shop': shop,
  '0002-rate-limits': rateLimits,
  '0003-bookkeeping': bookkeeping,
  '0004-command-line': commandLine,
  '0005-photos': photos,
  '0006-refund-failures': refundFailures,
  '0007-ended-sessions': endedSessions,
  '0008-indexes': indexes,
  '0009-laptop-photos': laptopPhotos,
  '0009-laptop-photos-2-fill': laptopPhotosFilled,
  '0009-laptop-photos-3-check': laptopPhotosChecked,
  '0010-fair-holds': fairHolds,
  '0011-idempotency-keys': idempotencyKeys,
  '0012-erased-addresses': erasedAddresses,
  '0013-proven-addresses': provenAddresses,
  '0014-search': search,
  '0015-cancelled-bookings': cancelledBookings,
  '0016-listed-again': listedAgain,
  '0017-saved-searches': savedSearches,
  '0018-change-tags': changeTags,
  '0019-edited-laptops': editedLaptops,
  '0020-photo-captions': photoCaptions,
  '0021-measurements': measurements,
  '0022-duplicates': duplicates,
  '0023-laptop-drafts': laptopDrafts,
  '0024-levels': levels,
  '0025-photo-fingerprints': photoFingerprints,
  '0026-browser-checks': browserChecks,
  '0027-inspection-desk': inspectionDesk,
  '0028-photo-kinds': photoKinds,
  '0029-certificates': certificates,
  '0030-draft-slip-codes': draftSlipCodes,
  '0031-tpm': tpm,
  '0032-inspection-photos': inspectionPhotos,
  '0033-workbench': workbench,
  '0034-orders': orders,
  '0035-draft-checks': draftChecks,
  '0037-payouts': payouts,
  '0039-payout-accounts': payoutAccounts,
  '0040-same-laptop-checks': sameLaptopChecks,
  '0041-accounting': accounting,
  '0042-complaints': complaints,
  '0043-core-values': coreValues,
  '0044-order-payables': orderPayables,
  '0045-seller-days': sellerDays,
  '0046-photo-folder': photoFolder,
  '0047-seller-tags': sellerTags,
  '0048-backup-state': backupState,
  '0049-exports': exportIndexes,
  '0050-messages': messages,
  '0051-message-notices': messageNotices,
  '0052-message-photos': messagePhotos,
  '0053-meetings': meetings,
  '0054-message-reports': messageReports,
  '0060-notifications': notifications,
  '0061-live': live,
  '0062-seller-checks': sellerChecks,
  '0063-reviews': reviews,
  '0064-phone-checks': phoneChecks,
  '0066-told-changes': toldChanges,
  '0068-review-reports': reviewReports,
  '0070-proposals-of-a-day': proposalsOfADay,
  '0071-waiting-pushes': waitingPushes,
  '0072-lowest-prices': lowestPrices,
  '0072-lowest-prices-2-fill': lowestPricesFilled,
  '0073-battery': battery,
  '0075-planned-meetings': plannedMeetings,
  '0076-fewer-notification-indexes': fewerNotificationIndexes,
  '0077-ledger-accounts': ledgerAccounts,
  '0078-ended-sales': endedSales,
  '0079-refunds': refunds,
  '0080-payout-holds': payoutHolds,
  '0081-books': books,
  '0082-payout-account-changes': payoutAccountChanges,
  '0083-standing-reviews': standingReviews,
  '0084-failed-notes': failedNotes,
  '0085-goodwill-of-disputed-orders': goodwillOfDisputedOrders,
  '0086-memory-bounds': memoryBounds,
  '0087-inspection-kinds': inspectionKinds,
  '0088-ended-evidence': endedEvidence,
  '0089-found-locks': foundLocks,
  '0090-code-endings': codeEndings,
  '0091-due-failed-items': dueFailedItems,
  '0092-audited-reads': auditedReads,
  '0097-searched-configurations': searchedConfigurations,
  '0099-conversations-with-meetings': conversationsWithMeetings,
  '0093-unclaimed-bytes': unclaimedBytes,
  '0094-names-and-documents': namesAndDocuments,
};

const provider: MigrationProvider = { getMigrations: async () => migrations };

/** The names of all migrations, oldest first. */
export const migrationNames: readonly string[] = Object.keys(migrations).sort();

/** The newest migration, which this code requires of a database. */
export const latestMigration = migrationNames.at(-1) ?? '';

/** How long a migration waits for a lock, in milliseconds. Meanwhile the queries that come after it wait, too. */
const LOCK_TIMEOUT_MS = 5_000;

/** How long a migration that cannot get its locks is attempted again, in milliseconds. */
const LOCK_PATIENCE_MS = 10 * 60_000;

const LOCK_NOT_AVAILABLE = '55P03';

/** The schema of a database does not fit this version of the shop. The message says what to do. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
}

function openMigrationPool(connectionString: string, lockTimeoutMs = LOCK_TIMEOUT_MS): Pool {
  const pool = new Pool({ connectionString, max: 2, lock_timeout: lockTimeoutMs });
  // A lost connection fails the query under way, which reports it. An unhandled error event would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Reads which migrations of this version a database lacks, and whether it has any of a later one. */
async function readState(pool: Pool): Promise<{ missing: readonly string[]; hasLater: boolean }> {
  const { rows: tables } = await pool.query<{ found: boolean }>(
    `select to_regclass('kysely_migration') is not null as found`,
  );
  const { rows } =
    tables[0]?.found === true
      ? await pool.query<{ name: string }>('select name from kysely_migration')
      : { rows: [] };
  const done = new Set(rows.map(({ name }) => name));
  return {
    missing: migrationNames.filter((name) => !done.has(name)),
    hasLater: [...done].some((name) => !(name in migrations)),
  };
}

/**
 * Checks that a database has all migrations of this version. It may have later ones: the previous version of a shop runs
 * on the schema of the next one (docs/operations.md).
 * @throws SchemaError
 */
export async function requireLatestSchema(connectionString: string): Promise<void> {
  const pool = openMigrationPool(connectionString);
  try {
    const { missing } = await readState(pool);
    if (missing.length === 0) return;
    throw new SchemaError(
      `The database lacks ${missing.length} of the ${migrationNames.length} migrations of this version, and MIGRATE=0 leaves them to you: run npm run migrate, then start again.`,
    );
  } finally {
    await pool.end();
  }
}

/**
 * Migrates a database to the newest schema. Safe when several processes start at once: the second one waits for the first, and
 * finds nothing left to do. So does a process of an earlier version on a
 * database that a later one has migrated.
 * @param log told when a migration waits for a lock
 * @param options.lockTimeoutMs how long it waits before it lets the queries behind it go first, in milliseconds
 * @throws the error of a failed migration, whose transaction is rolled back; SchemaError when a later version of the shop
 *   has migrated a database that lacks a migration of this one
 */
export async function migrateToLatest(
  connectionString: string,
  log: (line: string) => void = () => undefined,
  { lockTimeoutMs }: { lockTimeoutMs?: number } = {},
): Promise<void> {
  const pool = openMigrationPool(connectionString, lockTimeoutMs);
  try {
    const { missing, hasLater } = await readState(pool);
    if (missing.length === 0) return;
    if (hasLater) {
      throw new SchemaError(
        `The database has migrations of a later version of the shop and lacks ${missing.join(', ')} of this one: start a later version.`,
      );
    }
    // Kysely's migrator takes its own lock after it has read the catalog, which fails while another process drops a column.
    await withAdvisoryLock(connectionString, 'migrating', () => applyMigrations(pool, log));
  } finally {
    await pool.end();
  }
}

/** Applies the missing migrations, one per transaction. @throws the error of a failed migration */
async function applyMigrations(pool: Pool, log: (line: string) => void): Promise<void> {
  const migrator = openMigrator(pool);
  const patientUntil = Date.now() + LOCK_PATIENCE_MS;
  for (;;) {
    // `migrateUp` runs one migration per transaction, so that its locks are released before the next one.
    const { error, results } = await migrator.migrateUp();
    if (error === undefined) {
      if (results === undefined || results.length === 0) return;
    } else if (isLockTimeout(error) && Date.now() < patientUntil) {
      log('A migration waits for a lock that another statement holds, and is attempted again.');
    } else {
      throw error;
    }
  }
}

/**
 * Migrates a database up to the named migration, for data of an earlier version.
 * @throws also when the database has later migrations
 */
export async function migrateTo(connectionString: string, name: string): Promise<void> {
  const pool = openMigrationPool(connectionString);
  try {
    const { missing } = await readState(pool);
    // An empty database needs no pauses between migrations: nobody waits for their locks.
    const isEmpty = missing.length === migrationNames.length;
    if (name === latestMigration && !isEmpty) return await migrateToLatest(connectionString);
    const { error } = await openMigrator(pool).migrateTo(name);
    if (error !== undefined) throw error;
  } finally {
    await pool.end();
  }
}

const openMigrator = (pool: Pool) =>
  new Migrator({ db: new Kysely<never>({ dialect: new PostgresDialect({ pool }) }), provider });

const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
