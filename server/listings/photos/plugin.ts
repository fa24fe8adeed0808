import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { HOUR_MS } from '#contract/platform/durations.ts';
import { Id } from '#contract/platform/scalars.ts';
import type { Context } from '#server/platform/context.ts';
import { bearer } from '#server/platform/http/guard.ts';
import { unlimited } from '#server/platform/http/limits.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import type { Caller } from '#server/platform/http/serve.ts';
import { photosReleased } from './steps.ts';
import { removeUnusedPhotos } from './unused-photos.ts';
import { type PhotosOptions, photosPlugin } from './upload-and-serve-routes.ts';
import { recordDecoded, registerUpload, requireUnclaimedQuota } from './uploads.ts';

/** Names the conversation to which a private photo belongs. */
const ConversationQuery = z.object({ conversation: Id });

const SWEEP_INTERVAL_MS = HOUR_MS;

/** Options of the built-in image host that come from the configuration. */
export type ImageHostOptions = Omit<
  PhotosOptions,
  'authorize' | 'registerUpload' | 'recordDecoded' | 'links' | 'limited'
>;

export interface ImageHostDependencies extends Pick<Context, 'api' | 'work' | 'database'> {
  /** PostgreSQL itself, for a connection that holds a lock. */
  directUrl: string;
  /** Null when another image host is configured. */
  photos: ImageHostOptions | null;
  photoLinks: PhotosOptions['links'];
  /** Conversations, whose two people can add private photos. */
  conversations: {
    /** @throws Refusal for anybody else, and when the caller cannot write now */
    requireWritable(caller: Caller, conversationId: string): Promise<void>;
    /** @param photo in its stored form */
    recordPhoto(caller: Caller, conversationId: string, photo: string): Promise<void>;
  };
  /** Whether a buyer has bought something, about which photos can be needed. */
  hasBought(buyerId: string): Promise<boolean>;
}

/** The built-in image host, open to sellers, admins, and buyers with an order. Registers nothing when another image host is configured. */
export async function imageHostPlugin(
  app: FastifyInstance,
  { api, work, database, directUrl, photos, photoLinks, conversations, hasBought }: ImageHostDependencies,
): Promise<void> {
  work.handle(photosReleased, async () => {
    if (photos === null) return;
    const removed = await removeUnusedPhotos({ ...photos, database, directUrl }, new Date());
    if (removed === null) throw new Error('Photos are being removed or backed up, so the job is repeated.');
  });
  if (photos === null) return;
  const limited = api.limiter !== unlimited;
  async function requireQuotas(uploaderId: string, address: string): Promise<void> {
    await api.limiter.take('upload', { account: uploaderId, address });
    if (limited) await requireUnclaimedQuota(database, { uploaderId, address });
  }
  await app.register(photosPlugin, {
    ...photos,
    limited,
    links: photoLinks,
    authorize: async (request) => {
      const token = bearer(request);
      if (token === null) throw new Refusal('not_signed_in', 'Please sign in to upload photos.');
      const caller = await api.authentication.caller(token);
      const conversation = ConversationQuery.safeParse(request.query).data?.conversation;
      if (conversation !== undefined) {
        await conversations.requireWritable(caller, conversation);
        await requireQuotas(caller.userId, request.ip);
        return {
          uploaderId: caller.userId,
          keepPrivate: (photo) => conversations.recordPhoto(caller, conversation, photo),
        };
      }
      if (caller.roles.every((role) => role === 'Buyer') && !(await hasBought(caller.userId))) {
        throw new Refusal('not_allowed', 'Photos are uploaded by sellers, and by buyers about their orders.');
      }
      await requireQuotas(caller.userId, request.ip);
      return { uploaderId: caller.userId, keepPrivate: null };
    },
    registerUpload: (hash) => registerUpload(database, hash),
    recordDecoded: (photo, subject) => recordDecoded(database, photo, subject),
  });
  const { storage } = photos;
  work.every(SWEEP_INTERVAL_MS, 'unused photos could not be removed', async () => {
    await removeUnusedPhotos({ database, directUrl, storage }, new Date());
  });
}
