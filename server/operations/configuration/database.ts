import { join } from 'node:path';
import { startEmbeddedPostgres } from '#server/platform/database/embedded/start.ts';
import type { Config } from './config.ts';

/** Runs a command with the address of the shop's PostgreSQL itself. An embedded one is started for it. */
export async function withPostgres<Result>(
  { databaseUrl, databaseDirectUrl, dataFolder }: Config,
  log: (line: string) => void,
  work: (connectionString: string) => Promise<Result>,
): Promise<Result> {
  const configured = databaseDirectUrl ?? databaseUrl;
  if (configured !== null) return work(configured);
  const postgres = await startEmbeddedPostgres({ folder: join(dataFolder, 'postgres'), log });
  try {
    return await work(postgres.connectionString);
  } finally {
    await postgres.stop();
  }
}
