import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/tables.ts';
import { type Api, registerCalls } from '../http/api.ts';
import { auditRoutes } from './routes.ts';

/** The audit trail. */
export async function auditPlugin(
  app: FastifyInstance,
  options: { api: Api; database: Database },
): Promise<void> {
  await registerCalls(app, options.api, (serve) => auditRoutes(serve, options));
}
