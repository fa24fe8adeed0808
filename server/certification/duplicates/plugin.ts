import type { FastifyInstance } from 'fastify';
import type { Context } from '#server/platform/context.ts';
import { compareLaptops } from './actions.ts';

/** Reports laptops of which another listing has the same machine, part or photo. */
export async function duplicatesPlugin(_app: FastifyInstance, { database, work }: Context): Promise<void> {
  work.every(5_000, 'laptops could not be compared with the other listings', (signal) =>
    compareLaptops(database, signal),
  );
}
