import type { FastifyInstance } from 'fastify';
import type { Database } from '../database/tables.ts';
import type { Api } from '../http/api.ts';
import { bearer } from '../http/guard.ts';
import { Refusal } from '../http/refusal.ts';
import { registerUpload } from './actions.ts';
import { type PhotosOptions, photosPlugin } from './routes.ts';

/** Options of the built-in image host that come from the configuration. */
export type ImageHostOptions = Omit<PhotosOptions, 'authorize' | 'registerUpload'>;

/** The built-in image host, open to the shop's sellers. Registers nothing when another image host is configured. */
export async function imageHostPlugin(
  app: FastifyInstance,
  { api, database, photos }: { api: Api; database: Database; photos: ImageHostOptions | null },
): Promise<void> {
  if (photos === null) return;
  await app.register(photosPlugin, {
    ...photos,
    authorize: async (request) => {
      const token = bearer(request);
      if (token === null) throw new Refusal('not_signed_in', 'Please sign in to upload photos.');
      const caller = await api.authentication.caller(token);
      if (caller.role !== 'Seller') throw new Refusal('not_allowed', 'Only sellers upload photos.');
      await api.limiter.take('upload', { account: caller.userId, address: request.ip });
      return { sellerId: caller.userId };
    },
    registerUpload: (hash) => registerUpload(database, hash),
  });
}
