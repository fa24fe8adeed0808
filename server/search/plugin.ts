import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/tables.ts';
import { type Api, registerCalls } from '../http/api.ts';
import { followLaptops } from './follow-laptops.ts';
import { createLaptopIndex } from './index/laptop-index.ts';
import { searchRoutes } from './routes.ts';

export interface SearchOptions {
  api: Api;
  database: Database;
  origin: string;
  /** For the connections that read laptops and listen to their changes. */
  connectionString: string;
}

/** Search and suggestions, from an index in memory that follows the database. */
export async function searchPlugin(app: FastifyInstance, options: SearchOptions): Promise<void> {
  const { api, database, origin, connectionString } = options;
  const index = createLaptopIndex();
  const follower = followLaptops(connectionString, index, (error) =>
    app.log.warn({ err: error }, 'the search index cannot be updated'),
  );
  app.addHook('onClose', () => follower.stop());
  await registerCalls(app, api, (serve) =>
    searchRoutes(serve, { database, origin, index, loaded: follower.loaded }),
  );
}
