import { join, resolve } from 'node:path';
import { grantAdmin } from './accounts/actions.ts';
import { ConfigurationError, readConfig } from './config.ts';
import { connect } from './database/connect.ts';
import { startEmbeddedPostgres } from './database/embedded.ts';
import { migrateToLatest } from './database/migrate.ts';

const usage = 'Usage: npm run admin -- grant EMAIL';

/** Makes a registered user an admin. @returns the exit code */
async function grant(email: string): Promise<number> {
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
    const found = await grantAdmin(connection.database, email);
    await connection.close();
    if (found) process.stdout.write(`${email} is an admin now.\n`);
    else console.error(`Nobody is registered with ${email}. Register in the shop first, then grant.`);
    return found ? 0 : 1;
  } finally {
    await postgres?.stop();
  }
}

const [command, email, ...rest] = process.argv.slice(2);
if (command !== 'grant' || email === undefined || rest.length > 0) {
  console.error(usage);
  process.exitCode = 2;
} else {
  try {
    process.exitCode = await grant(email);
  } catch (error) {
    console.error(
      error instanceof ConfigurationError ? error.message : `That did not work: ${String(error)}`,
    );
    process.exitCode = 1;
  }
}
