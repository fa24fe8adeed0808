import { sql } from 'kysely';
import { latestMigration } from '../database/migrate.ts';
import type { Database } from '../database/tables.ts';

/** Whether this process should be sent requests. */
export interface Readiness {
  /** From now on it should not: it is about to close. */
  drain(): void;
  readonly draining: boolean;
  /** Null when it should, else why not, in a sentence. */
  objection(): Promise<string | null>;
}

/** How long the database may take to answer, in milliseconds. */
const PATIENCE = 1_000;

async function answersWithSchema(database: Database): Promise<boolean> {
  // A newer process may have brought the schema further already, which is why the latest known one is looked for.
  const { rows } = await sql`select from kysely_migration where name = ${latestMigration}`.execute(database);
  return rows.length === 1;
}

/** @param database asked at most once at a time, however many ask here */
export function createReadiness(database: Database): Readiness {
  let draining = false;
  let asking: Promise<string | null> | null = null;

  async function ask(): Promise<string | null> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve('The database does not answer within a second.'), PATIENCE);
    });
    const answer = answersWithSchema(database).then(
      (current) => (current ? null : 'The database lacks the latest migration.'),
      () => 'The database does not answer.',
    );
    return Promise.race([answer, late]).finally(() => clearTimeout(timer));
  }

  return {
    drain: () => {
      draining = true;
    },
    get draining() {
      return draining;
    },
    objection: async () => {
      if (draining) return 'This process is about to close.';
      asking ??= ask().finally(() => {
        asking = null;
      });
      return asking;
    },
  };
}
