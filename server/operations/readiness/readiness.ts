import { sql } from 'kysely';
import { latestMigration } from '#server/platform/database/migrate.ts';
import type { Database } from '#server/platform/database/tables.ts';

/** Whether this process can take requests. */
export type Readiness = ReturnType<typeof createReadiness>;

const DATABASE_TIMEOUT_MS = 1_000;

async function hasLatestMigration(database: Database): Promise<boolean> {
  // Not the number of migrations: a newer process may have run further ones.
  const { rows } = await sql`select from kysely_migration where name = ${latestMigration}`.execute(database);
  return rows.length === 1;
}

/** Creates the readiness check. Concurrent checks share one query. */
export function createReadiness(database: Database) {
  let isDraining = false;
  let running: Promise<string | null> | null = null;

  async function checkDatabase(): Promise<string | null> {
    let timer: NodeJS.Timeout | undefined;
    const timedOut = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve('The database does not answer within a second.'), DATABASE_TIMEOUT_MS);
    });
    const result = hasLatestMigration(database).then(
      (isCurrent) => (isCurrent ? null : 'The database lacks the latest migration.'),
      () => 'The database does not answer.',
    );
    return Promise.race([result, timedOut]).finally(() => clearTimeout(timer));
  }

  return {
    /** Makes the process not ready, permanently: it is about to close. */
    drain: (): void => {
      isDraining = true;
    },
    get isDraining(): boolean {
      return isDraining;
    },
    /** Checks the database. @returns null when ready, otherwise the reason as a sentence */
    findProblem: async (): Promise<string | null> => {
      if (isDraining) return 'This process is about to close.';
      running ??= checkDatabase().finally(() => {
        running = null;
      });
      return running;
    },
  };
}
