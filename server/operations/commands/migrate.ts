import { createIdentity } from '#identity/provider.ts';
import { migrateToLatest } from '#server/platform/database/migrate.ts';
import { migrateQueue } from '#server/platform/jobs/queue.ts';
import { openSecrets } from '#server/platform/secrets.ts';
import { type Config, ConfigurationError, openConfig } from '../configuration/config.ts';
import { withPostgres } from '../configuration/database.ts';
import { createLogger } from '../log/log.ts';

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/**
 * Migrates the shop's tables, the job queue's and the identity provider's.
 * @throws the error of a failed migration, whose transaction is rolled back
 */
async function migrateAll(config: Config, connectionString: string): Promise<void> {
  await migrateToLatest(connectionString, print);
  await migrateQueue(connectionString);
  if (config.identity.kind !== 'own') return;
  const secrets = await openSecrets(config.secret, config.dataFolder, config.previousSecret);
  const identity = await createIdentity(
    {
      databaseUrl: connectionString,
      origin: config.origin,
      trustedOrigins: config.otherOrigins,
      secret: secrets.identity,
      ...(secrets.previous !== null && { previousSecret: secrets.previous.identity }),
      serviceSecret: secrets.identityService,
    },
    createLogger('warn'),
  );
  await identity.close();
}

/** `npm run migrate`: brings the database to this version's schema, and ends. */
async function main(): Promise<number> {
  try {
    const config = await openConfig(process.env);
    await withPostgres(config, print, (connectionString) => migrateAll(config, connectionString));
    print('The database has the schema of this version.');
    return 0;
  } catch (error) {
    if (error instanceof ConfigurationError) for (const sentence of error.sentences) console.error(sentence);
    else
      console.error(error instanceof Error ? `The database could not be migrated: ${error.message}` : error);
    return 1;
  }
}

process.exit(await main());
