import * as z from 'zod/mini';
import type { Notifier } from '#server/people/notifications/rules.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { job } from '#server/platform/jobs/queue.ts';
import { differencesNotice } from './notices.ts';
import * as store from './store.ts';

export interface NotificationDependencies {
  database: Database;
  notifier: Notifier;
}

/** A comparison found new differences. `ids` are some of the `total` new ones. */
export const differencesFound = job(
  'accounting.differences-found',
  z.object({ adminId: z.string(), ids: z.array(z.string()), total: z.number() }),
);

/** Notifies an admin about new differences. */
export async function notifyDifferences(
  { database, notifier }: NotificationDependencies,
  { adminId, ids, total }: { adminId: string; ids: string[]; total: number },
  jobId: string,
): Promise<void> {
  const differences = await store.findByIds(database, ids);
  await notifier.notify({ adminId, area: 'money', event: jobId }, differencesNotice({ differences, total }));
}
