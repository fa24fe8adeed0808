import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/tables.ts';
import { type Api, registerCalls } from '../http/api.ts';
import { wishlistRoutes } from './routes.ts';

/** Wishlists of buyers. */
export async function wishlistPlugin(
  app: FastifyInstance,
  options: { api: Api; database: Database; origin: string },
): Promise<void> {
  await registerCalls(app, options.api, (serve) => wishlistRoutes(serve, options));
}
