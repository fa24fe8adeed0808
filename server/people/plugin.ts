import type { FastifyInstance } from 'fastify';
import { type Api, registerCalls } from '../http/api.ts';
import type { PeopleDependencies } from './actions.ts';
import { peopleRoutes } from './routes.ts';

/** Admins' lists of buyers and sellers, verification and deletion of accounts. */
export async function peoplePlugin(
  app: FastifyInstance,
  options: PeopleDependencies & { api: Api },
): Promise<void> {
  await registerCalls(app, options.api, (serve) => peopleRoutes(serve, options));
}
