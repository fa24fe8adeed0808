import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Config, ConfigurationError, readConfig } from './config.ts';
import { connect } from './database/connect.ts';
import { startEmbeddedPostgres } from './database/embedded/start.ts';
import { migrateToLatest } from './database/migrate.ts';
import type { Database } from './database/tables.ts';
import { retryRefund } from './payments/refund-retry.ts';
import { CommandRejected, makeAdmin, resetSecondFactor } from './people/command-line.ts';
import { openSecrets } from './secrets.ts';
import { callIdentityAdmin } from './shop.ts';

const usage = `Usage: npm run admin -- grant [--unproven] EMAIL
       npm run admin -- reset-second-factor EMAIL
       npm run admin -- refund-again TRANSACTION_ID`;

/** What a command says at its end. */
interface Outcome {
  done: boolean;
  sentence: string;
}

/**
 * @param whom as it was typed: an e-mail address, or a transaction id
 * @param place.unproven whether an address that nobody has proven to own is accepted
 */
type Command = (
  whom: string,
  place: { database: Database; config: Config; unproven: boolean },
) => Promise<Outcome>;

/** A command about somebody's account. */
const byEmail =
  (command: Command): Command =>
  (whom, place) =>
    command(whom.toLowerCase(), place);

const commands: Readonly<Record<string, Command>> = {
  grant: byEmail(async (email, { database, unproven }) => {
    try {
      await makeAdmin(database, email, { unproven });
      return { done: true, sentence: `${email} is an admin now.` };
    } catch (error) {
      if (error instanceof CommandRejected) return { done: false, sentence: error.message };
      throw error;
    }
  }),

  'reset-second-factor': byEmail(async (email, { database, config }) => {
    if (config.identity.kind === 'other') {
      return {
        done: false,
        sentence: `Second factors are kept by ${config.identity.issuer}; reset it there.`,
      };
    }
    const secrets = await openSecrets(config.secret, resolve(config.dataFolder));
    const reset = (whose: string) =>
      callIdentityAdmin(config, secrets, 'reset-second-factor', whose).catch((error: unknown) => {
        throw new Error(
          `the shop must run for this, on the same PORT and with the same secret (${error instanceof Error ? error.message : String(error)}). Nothing was changed`,
        );
      });
    return (await resetSecondFactor(database, email, reset))
      ? {
          done: true,
          sentence: `${email} has no second factor any more, is signed out everywhere, and is told by a letter.`,
        }
      : { done: false, sentence: `Nobody signs in with ${email}. Nothing was changed.` };
  }),

  'refund-again': async (transactionId, { database }) => {
    const retry = await retryRefund(database, transactionId);
    switch (retry?.kind) {
      case 'begun':
        return {
          done: true,
          sentence: `${retry.amount} of ${retry.subject}: attempt ${retry.attempt} at giving it back begins within a minute of the shop’s running, and the audit trail will say how it ends.`,
        };
      case 'pending':
        return {
          done: false,
          sentence: `The refund of ${transactionId} is under way already. Nothing was changed.`,
        };
      case 'done':
        return {
          done: false,
          sentence: `The money of ${transactionId} has gone back already. Nothing was changed.`,
        };
      case undefined:
        return {
          done: false,
          sentence: `No money of ${transactionId} is to be given back. Nothing was changed.`,
        };
    }
  },
};

/** Does one command on the shop's database. */
async function run(command: Command, whom: string, unproven: boolean): Promise<Outcome> {
  const config = readConfig(process.env);
  const postgres =
    config.databaseUrl === null
      ? await startEmbeddedPostgres({
          folder: join(resolve(config.dataFolder), 'postgres'),
          log: (message) => console.warn(message),
        })
      : null;
  try {
    const connectionString = config.databaseUrl ?? postgres?.connectionString ?? '';
    await migrateToLatest(connectionString);
    const connection = connect(connectionString, (error) => console.error(error.message));
    try {
      return await command(whom, { database: connection.database, config, unproven });
    } finally {
      await connection.close();
    }
  } finally {
    await postgres?.stop();
  }
}

/** What was typed, or null when it is none of the commands. */
function readCommandLine(): { command: Command; whom: string; unproven: boolean } | null {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { unproven: { type: 'boolean', default: false } },
    });
    const [name = '', whom, ...rest] = positionals;
    const command = commands[name];
    if (command === undefined || whom === undefined || rest.length > 0) return null;
    if (values.unproven && name !== 'grant') return null;
    return { command, whom: whom.trim(), unproven: values.unproven };
  } catch (error) {
    // An option that does not exist.
    if (error instanceof TypeError) return null;
    throw error;
  }
}

const typed = readCommandLine();
if (typed === null) {
  console.error(usage);
  process.exitCode = 2;
} else {
  try {
    const { done, sentence } = await run(typed.command, typed.whom, typed.unproven);
    if (done) process.stdout.write(`${sentence}\n`);
    else console.error(sentence);
    process.exitCode = done ? 0 : 1;
  } catch (error) {
    console.error(
      error instanceof ConfigurationError
        ? error.message
        : `That did not work: ${error instanceof Error ? error.message : String(error)}.`,
    );
    process.exitCode = 1;
  }
}
