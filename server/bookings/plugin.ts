import type { FastifyInstance } from 'fastify';
import { type Api, registerCalls } from '../http/api.ts';
import type { Enqueue } from '../jobs/queue.ts';
import type { Work } from '../jobs/work.ts';
import { bookingMade, type NotificationDependencies, notifySeller } from './notifications.ts';
import { bookingRoutes } from './routes.ts';
import { removeExpiredHolds } from './steps.ts';

const SWEEP_INTERVAL_MS = 10 * 60_000;

export interface BookingsOptions extends NotificationDependencies {
  api: Api;
  work: Work;
  enqueue: Enqueue;
}

/** Bookings and holds: routes, the email to the seller, removal of expired holds. */
export async function bookingsPlugin(app: FastifyInstance, options: BookingsOptions): Promise<void> {
  const { api, work, database } = options;
  await registerCalls(app, api, (serve) => bookingRoutes(serve, options));
  work.handle(bookingMade, ({ bookingId }) => notifySeller(options, bookingId));
  work.every(
    SWEEP_INTERVAL_MS,
    () => removeExpiredHolds(database, new Date()),
    (error) => app.log.warn({ err: error }, 'expired holds could not be removed'),
  );
}
