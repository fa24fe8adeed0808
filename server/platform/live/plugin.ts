import type { FastifyInstance } from 'fastify';
import { LIVE_PATH } from '#contract/platform/live.ts';
import { EVENT_STREAM } from '#server/platform/http/request-facts.ts';
import type { Notifications } from '../database/notification-listener.ts';
import type { Database } from '../database/tables.ts';
import { API_PREFIX } from '../http/api.ts';
import { type Authentication, authorize } from '../http/guard.ts';
import { Refusal } from '../http/refusal.ts';
import { followLiveChanges } from './follow-changes.ts';
import { createStreams } from './streams.ts';

/** When to try again while a process has too many streams, in milliseconds. */
const RETRY_MS = 30_000;

const access = { access: 'signed-in' } as const;

export interface LiveOptions {
  api: { authentication: Authentication };
  database: Database;
  notifications: Notifications;
  /** @param count the number of open streams */
  metrics: { watchLiveStreams(count: () => number): void };
}

/** `GET /api/live`: tells a signed-in person of their changes, as server-sent events, while the token is valid. */
export async function livePlugin(app: FastifyInstance, options: LiveOptions): Promise<void> {
  const { api, database, notifications, metrics } = options;
  const streams = createStreams();
  metrics.watchLiveStreams(streams.count);
  const unsubscribe = followLiveChanges({ notifications, database, streams }, app.log);
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    streams.stop();
    done();
  });
  app.addHook('onClose', async () => unsubscribe());

  const url = `${API_PREFIX}${LIVE_PATH}`;
  app.head(url, async (request, reply) => {
    await authorize(access, request, api.authentication);
    return reply
      .type(EVENT_STREAM)
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .send();
  });
  app.get(url, { exposeHeadRoute: false }, async (request, reply) => {
    const caller = await authorize(access, request, api.authentication);
    if (isClosing) {
      throw new Refusal('not_ready', 'The shop is restarting. Changes show again in a moment.');
    }
    const events = streams.open(caller, reply.raw);
    if (events === null) {
      throw new Refusal(
        'busy',
        'Too many people are connected at the moment. Changes show when you open a page again.',
        { retryAt: new Date(Date.now() + RETRY_MS) },
      );
    }
    try {
      // An end of the session after the first check, and before there was a stream to close, was not noticed.
      await authorize(access, request, api.authentication);
    } catch (error) {
      events.destroy();
      throw error;
    }
    return (
      reply
        .type(EVENT_STREAM)
        .header('cache-control', 'no-store')
        // Proxies such as nginx would collect events before they pass them on.
        .header('x-accel-buffering', 'no')
        .send(events)
    );
  });
}
