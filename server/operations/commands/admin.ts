import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { centsFromText, formatCents } from '#contract/platform/money.ts';
import { normalizeEmail } from '#contract/platform/scalars.ts';
import { revokeKey, rotateKey } from '#server/certification/certificates/keys.ts';
import { createPictureEncoder } from '#server/listings/photos/actions.ts';
import { adoptFolder } from '#server/listings/photos/own-folder.ts';
import { StorageError } from '#server/listings/photos/storage.ts';
import { findDifferencesNow } from '#server/money/accounting/actions.ts';
import { describeDifference } from '#server/money/accounting/rules.ts';
import { withDatabase } from '#server/platform/database/connect.ts';
import { migrateToLatest, requireLatestSchema, SchemaError } from '#server/platform/database/migrate.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { operatorCommand, operatorPath } from '#server/platform/operator-command.ts';
import { certificateSecrets, openSecrets } from '#server/platform/secrets.ts';
import { createPaymentProviders } from '#server/providers/payment-providers.ts';
import { retryRefund } from '#server/sales/payments/refunds.ts';
import {
  CarrierOverpaid,
  InvoiceFileError,
  invoiceDifferences,
  parseInvoice,
  recordCarrierPayment,
} from '#server/sales/shipping/invoice.ts';
import { BackupError, messageOf } from '../backup/archive.ts';
import {
  backUpTo,
  listStoredBackups,
  type RestoreCommandOptions,
  restoreBackup,
} from '../backup/commands.ts';
import { type Config, ConfigurationError, openConfig, readConfig } from '../configuration/config.ts';
import { withPostgres } from '../configuration/database.ts';
import { photoFolder } from '../configuration/providers.ts';
import { connectCardProcessor, findClaimLink } from '../first-steps/actions.ts';
import { CardAccountError } from '../first-steps/card-account.ts';
import { exportSettings } from '../settings/actions.ts';
import { applyStoredSettings } from '../settings/current.ts';
import { readSettings } from '../settings/store.ts';
import { CommandRejected, makeAdmin, resetSecondFactor } from '../user-admin/command-line.ts';
import { createIdentityAdmin } from './identity-admin.ts';
import { migrateShop } from './migrate.ts';
import { SetupFileError, SetupStopped, setUp } from './setup.ts';

const usage = `Usage:
${[
  'owner-link',
  'grant [--unproven] EMAIL',
  'reset-second-factor EMAIL',
  'refund-again TRANSACTION_ID (or a refund’s id)',
  'reconcile',
  'carrier-report FILE',
  'carrier-paid [--ahead] REFERENCE=AMOUNT',
  'adopt-photo-folder',
  'rotate-certificate-key',
  'revoke-certificate-key KEY_ID',
  'settings export FILE',
  'setup --file FILE',
  'migrate',
  'backups',
  'backup FILE',
  'restore [--replace|--verify] NAME (or a FILE)',
]
  .map((command) => `  ${operatorCommand('admin', command)}`)
  .join('\n')}`;

/** The result of a command, and the message to print. */
interface CommandResult {
  exitCode: number;
  message: string;
}

const done = (message: string): CommandResult => ({ exitCode: 0, message });
const rejected = (message: string): CommandResult => ({ exitCode: 1, message });

/** The exit code of a backup that is complete except for photos that the shop's storage has lost. */
const EXIT_PHOTOS_MISSING = 3;

/**
 * @param subject an email address or a transaction id
 * @param context.unproven whether an unconfirmed email address is accepted
 * @param context.ahead whether a payment may exceed what is owed
 */
type Command = (
  subject: string,
  context: { database: Database; config: Config; unproven: boolean; ahead: boolean },
) => Promise<CommandResult>;

/** Writes the email address that a command takes as accounts have it. */
const withNormalizedEmail =
  (command: Command): Command =>
  (email, context) =>
    command(normalizeEmail(email), context);

async function openCertificateSecrets({ secret, previousSecret, dataFolder }: Config) {
  return certificateSecrets(await openSecrets(secret, dataFolder, previousSecret));
}

/** @returns what was done, as a sentence @throws CardAccountError */
async function connectStripe(
  database: Database,
  { origin }: Config,
  cards: Extract<Config['cards'], { kind: 'stripe' }>,
): Promise<string> {
  const { cardAccount } = createPaymentProviders(cards);
  const { settings } = await readSettings(database);
  const created = await connectCardProcessor({ database, cardAccount, origin, shop: () => settings }, null);
  return created === 0
    ? 'The card processor was connected already.'
    : 'The card processor sends its events to this shop now.';
}

const commands: Readonly<Record<string, Command>> = {
  'owner-link': async (_subject, { database, config }) => {
    const { ownership: key } = await openSecrets(config.secret, config.dataFolder);
    const link = await findClaimLink(database, { origin: config.origin, key });
    return link === null
      ? rejected('This shop has an admin, who can make others. Nothing was changed.')
      : done(link);
  },

  grant: withNormalizedEmail(async (email, { database, unproven }) => {
    try {
      await makeAdmin(database, email, { unproven });
      return done(`${email} is an owner of the shop now.`);
    } catch (error) {
      if (error instanceof CommandRejected) return rejected(error.message);
      throw error;
    }
  }),

  'reset-second-factor': withNormalizedEmail(async (email, { database, config }) => {
    if (config.identity.kind === 'other') {
      return rejected(`${config.identity.issuer} manages second factors. Reset it there.`);
    }
    const secrets = await openSecrets(config.secret, config.dataFolder);
    const identityAdmin = createIdentityAdmin(config, secrets);
    const reset = (accountEmail: string) =>
      identityAdmin.resetSecondFactor(accountEmail).catch((error: unknown) => {
        throw new Error(
          `the shop must be running on the same PORT and with the same secret (${messageOf(error)}). Nothing was changed`,
        );
      });
    return (await resetSecondFactor(database, email, reset))
      ? done(`${email} has no second factor any more, is signed out everywhere, and gets an email about it.`)
      : rejected(`Nobody signs in with ${email}. Nothing was changed.`);
  }),

  'refund-again': async (transactionId, { database }) => {
    const retry = await retryRefund(database, transactionId);
    switch (retry?.kind) {
      case 'begun':
        return done(
          retry.attempts
            .map(
              ({ amount, subject, attempt }) =>
                `${amount} of ${subject}: attempt ${attempt} at giving it back begins within a minute of the shop’s running, and the audit trail will say how it ends.`,
            )
            .join('\n'),
        );
      case 'waiting':
        return rejected(
          `The refund of ${transactionId} waits until the seller’s money is back. An admin can pay it from the shop’s own money, on /dashboard/complaints. Nothing was changed.`,
        );
      case 'pending':
        return rejected(`The refund of ${transactionId} is under way already. Nothing was changed.`);
      case 'done':
        return rejected(`The money of ${transactionId} has gone back already. Nothing was changed.`);
      case 'paid_by_bank':
        return rejected(
          `The buyer’s bank gave the money of ${transactionId} back in a dispute, so there is nothing left to refund. Nothing was changed.`,
        );
      case 'paid_by_hand':
        return rejected(
          `An admin has paid the money of ${transactionId} to the buyer another way, so there is nothing left to refund. Nothing was changed.`,
        );
      case undefined:
        return rejected(`No money of ${transactionId} is to be given back. Nothing was changed.`);
    }
  },

  reconcile: async (_subject, { database, config }) => {
    if (config.cards.kind !== 'stripe') {
      return rejected(
        'The stand-in for the card processor is a part of the running shop, which compares with it every day. Nothing was compared.',
      );
    }
    const { payouts: balance } = createPaymentProviders(config.cards);
    const differences = await findDifferencesNow({ database, balance }, new Date());
    if (differences.length === 0) return done('The ledger and the card processor’s balance agree.');
    const lines = differences.map((difference) => `  ${describeDifference(difference)}`);
    return rejected(
      `The ledger and the card processor’s balance differ in ${differences.length === 1 ? 'one movement' : `${differences.length} movements`}:\n${lines.join('\n')}\ndocs/money.md says what to do. Nothing was changed.`,
    );
  },

  'carrier-report': async (path, { database }) => {
    try {
      const lines = parseInvoice(await readFile(operatorPath(path), 'utf8'));
      const differences = await invoiceDifferences(database, lines);
      if (differences.length === 0)
        return done(`All ${lines.length} labels of ${path} are those of the ledger.`);
      return rejected(`${differences.join('\n')}\ndocs/money.md says what to do. Nothing was changed.`);
    } catch (error) {
      if (error instanceof InvoiceFileError) return rejected(`${error.message} Nothing was compared.`);
      throw error;
    }
  },

  'carrier-paid': async (payment, { database, ahead }) => {
    const [, reference = '', amount = ''] = /^(.{1,100})=([\d.]+)$/.exec(payment) ?? [];
    const cents = centsFromText(amount);
    if (cents === null || cents === 0)
      return rejected(`${payment} is no reference and amount, such as INV-17=123.45. Nothing was recorded.`);
    try {
      return (await recordCarrierPayment(database, { reference, amountCents: cents, isAhead: ahead }))
        ? done(`${formatCents(cents)} to the carriers are recorded with the reference ${reference}.`)
        : rejected(`A payment with the reference ${reference} is recorded already. Nothing was changed.`);
    } catch (error) {
      if (!(error instanceof CarrierOverpaid)) throw error;
      return rejected(
        `${error.message} A payment of ${formatCents(cents)} exceeds that. Nothing was recorded. If it is right, such as money that was paid ahead, say --ahead: it cannot be taken back.`,
      );
    }
  },

  'adopt-photo-folder': async (_subject, { database, config }) => {
    if (config.photos.kind !== 'disk')
      return rejected('The photos of this shop are not on disk. Nothing was changed.');
    const folder = photoFolder(config.dataFolder);
    await adoptFolder(database, folder);
    return done(
      `${folder} is the folder of this shop’s photos now. Processes with another one no longer start.`,
    );
  },

  'settings export': async (path, { database }) => {
    const text = `${JSON.stringify(await exportSettings(database), null, 2)}\n`;
    const file = operatorPath(path);
    await writeFile(file, text, { flag: 'wx' });
    return done(`The settings and their pictures are in ${file}.`);
  },

  setup: async (path, { database, config }) => {
    const encoder = createPictureEncoder();
    try {
      const lines = await setUp(database, encoder, operatorPath(path));
      if (config.cards.kind === 'stripe') lines.push(await connectStripe(database, config, config.cards));
      return done(lines.join('\n'));
    } catch (error) {
      if (error instanceof CardAccountError) {
        return rejected(
          `The settings, brands and pages of ${path} apply. The card processor is not connected: ${error.message} Run it again when that is mended.`,
        );
      }
      if (error instanceof SetupFileError) {
        return rejected(`${path} cannot be used:\n${error.message}\nNothing was changed.`);
      }
      if (error instanceof SetupStopped) {
        return rejected(`${error.message} Mend the file and run it again.`);
      }
      throw error;
    } finally {
      await encoder.close();
    }
  },

  'rotate-certificate-key': async (_subject, { database, config }) => {
    const kid = await rotateKey(database, await openCertificateSecrets(config));
    return done(
      `New certificates are signed with ${kid}. The key before stays published, so that its certificates can be verified.`,
    );
  },

  'revoke-certificate-key': async (kid, { database, config }) => {
    const revoked = await revokeKey(database, await openCertificateSecrets(config), kid);
    if (revoked === null) {
      return rejected(`No key ${kid} is published, or it was revoked already. Nothing was changed.`);
    }
    return done(
      `${kid} is revoked: certificates that it signed count as forged. ${revoked.certificates} of them are issued again with another key while the shop runs.`,
    );
  },
};

/** Commands for which the database is not opened. They open it themselves, if they need it. */
const standaloneCommands: Readonly<
  Record<string, (subject: string, options: RestoreCommandOptions) => Promise<CommandResult>>
> = {
  migrate: async () => {
    try {
      await migrateShop();
      return done('The database has the schema of this version.');
    } catch (error) {
      if (error instanceof ConfigurationError) throw error;
      return rejected(`The database could not be migrated: ${messageOf(error)}`);
    }
  },
  backups: async () => done(await listStoredBackups(readConfig(process.env), new Date())),
  backup: async (file) => {
    const { isComplete, message } = await backUpTo(file);
    return { exitCode: isComplete ? 0 : EXIT_PHOTOS_MISSING, message };
  },
  restore: async (backup, options) => {
    await restoreBackup(backup, options);
    return done(options.verify ? 'It can be restored.' : 'Start the shop to use it.');
  },
};

/** Commands without a subject. */
const withoutSubject: ReadonlySet<string> = new Set([
  'adopt-photo-folder',
  'backups',
  'migrate',
  'owner-link',
  'reconcile',
  'rotate-certificate-key',
]);

/** Runs a command on the shop's database. */
async function run(
  command: Command,
  subject: string,
  flags: { unproven: boolean; ahead: boolean },
): Promise<CommandResult> {
  const config = await openConfig(process.env);
  const log = (line: string) => console.warn(line);
  return withPostgres(config, log, async (connectionString) => {
    if (config.migrate) await migrateToLatest(connectionString, log);
    else await requireLatestSchema(connectionString);
    return withDatabase(connectionString, async (database) => {
      await applyStoredSettings(database);
      return command(subject, { database, config, ...flags });
    });
  });
}

/** Parses the command line. @returns what runs the command; null when it is not a valid one */
function readCommandLine(): (() => Promise<CommandResult>) | null {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        unproven: { type: 'boolean', default: false },
        ahead: { type: 'boolean', default: false },
        replace: { type: 'boolean', default: false },
        verify: { type: 'boolean', default: false },
        file: { type: 'string' },
      },
    });
    // Of the commands, only `settings` has two words.
    const [name = '', positional, ...rest] =
      positionals[0] === 'settings'
        ? [positionals.slice(0, 2).join(' '), ...positionals.slice(2)]
        : positionals;
    const { unproven, ahead, replace, verify, file } = values;
    if ((file !== undefined) !== (name === 'setup') || (file !== undefined && positional !== undefined))
      return null;
    const argument = file ?? positional;
    if (rest.length > 0 || (argument === undefined) !== withoutSubject.has(name)) return null;
    if (ahead && name !== 'carrier-paid') return null;
    if ((unproven && name !== 'grant') || ((replace || verify) && name !== 'restore')) return null;
    if (replace && verify) return null;
    const subject = argument?.trim() ?? '';
    const standalone = standaloneCommands[name];
    if (standalone !== undefined) return () => standalone(subject, { replace, verify });
    const command = commands[name];
    return command === undefined ? null : () => run(command, subject, { unproven, ahead });
  } catch (error) {
    // Thrown by parseArgs for an unknown option.
    if (error instanceof TypeError) return null;
    throw error;
  }
}

const runCommand = readCommandLine();
if (runCommand === null) {
  console.error(usage);
  process.exitCode = 2;
} else {
  try {
    const { exitCode, message } = await runCommand();
    if (exitCode === 1) console.error(message);
    else process.stdout.write(`${message}\n`);
    process.exitCode = exitCode;
  } catch (error) {
    const hasMessage =
      error instanceof ConfigurationError ||
      error instanceof SchemaError ||
      error instanceof BackupError ||
      error instanceof StorageError;
    console.error(hasMessage ? error.message : `That did not work: ${messageOf(error)}.`);
    process.exitCode = 1;
  }
}
