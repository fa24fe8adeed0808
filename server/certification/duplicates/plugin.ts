import type { FastifyInstance } from 'fastify';
import type { Database } from '#server/platform/database/tables.ts';
import type { Work } from '#server/platform/jobs/work.ts';
import { compareLaptops } from './actions.ts';

interface DuplicatesOptions {
  database: Database;
  work: Work;
}

/** Reports laptops of which another listing has the same machine, part or photo. */
export async function duplicatesPlugin(
  _app: FastifyInstance,
  { database, work }: DuplicatesOptions,
): Promise<void> {
  work.every(5_000, 'laptops could not be compared with the other listings', (signal) =>
    compareLaptops(database, signal),
  );
}
