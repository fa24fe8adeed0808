import type { FastifyInstance } from 'fastify';
import { listenForNotifications } from '../database/notification-listener.ts';
import { type Api, registerCalls } from '../http/api.ts';
import type { Work } from '../jobs/work.ts';
import type { CatalogueDependencies } from './actions.ts';
import { catalogueRoutes } from './routes.ts';
import { removeUnusedPhotos } from './unused-photos.ts';

const PHOTO_SWEEP_INTERVAL_MS = 60 * 60_000;

export interface CatalogueOptions extends CatalogueDependencies {
  api: Api;
  work: Work;
  origin: string;
  /** For the connection that listens to changes of the catalogue. */
  connectionString: string;
}

/** Brands, laptops and advertisements: routes, invalidation of the response cache, removal of unused photos. */
export async function cataloguePlugin(app: FastifyInstance, options: CatalogueOptions): Promise<void> {
  const { api, work, cache, database, photoStorage: storage } = options;
  await registerCalls(app, api, (serve) => catalogueRoutes(serve, options));

  const listener = listenForNotifications(options.connectionString, 'catalogue_changed', {
    onNotification: cache.enable,
    onDisconnect: cache.disable,
  });
  app.addHook('onClose', () => listener.stop());

  if (storage === null) return;
  work.every(
    PHOTO_SWEEP_INTERVAL_MS,
    async () => void (await removeUnusedPhotos({ database, storage }, new Date())),
    (error) => app.log.error({ err: error }, 'unused photos could not be removed'),
  );
}
