import type { FastifyInstance } from 'fastify';
import type { Database } from '#server/platform/database/tables.ts';
import type { Work } from '#server/platform/jobs/work.ts';
import { compareLaptops } from './actions.ts';

export interface DuplicatesOptions {
  database: Database;
  work: Work;
  /** How often noted laptops are compared, in milliseconds. */
  compareIntervalMs: number;
}

/** Reports laptops of which another listing has the same machine, part or photo. */
export async function duplicatesPlugin(
  app: FastifyInstance,
  { database, work, compareIntervalMs }: DuplicatesOptions,
): Promise<void> {
  work.every(
    compareIntervalMs,
    (signal) => compareLaptops(database, signal),
    (error) => app.log.error({ err: error }, 'laptops could not be compared with the other listings'),
  );
}
