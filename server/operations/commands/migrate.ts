import { createIdentity } from '#identity/provider.ts';
import { migrateToLatest } from '#server/platform/database/migrate.ts';
import { migrateQueue } from '#server/platform/jobs/queue.ts';
import { openSecrets } from '#server/platform/secrets.ts';
import { type Config, openConfig } from '../configuration/config.ts';
import { withPostgres } from '../configuration/database.ts';
import { createLogger } from '../log/log.ts';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

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

/** Brings the configured shop's database to this version's schema. @throws the error of a failed migration */
export async function migrateShop(): Promise<void> {
  const config = await openConfig(process.env);
  await withPostgres(config, print, (connectionString) => migrateAll(config, connectionString));
}
