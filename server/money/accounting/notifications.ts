import * as z from 'zod/mini';
import { notification } from '#server/people/notifications/steps.ts';
import { differencesNotice } from './notices.ts';
import * as store from './store.ts';

/** A comparison found new differences. `ids` are some of the `total` new ones. The admins are told. */
export const differencesFound = notification(
  'accounting.differences-found',
  z.object({ ids: z.array(z.string()), total: z.number() }),
  async ({ database }, { ids, total }) => {
    const differences = await store.findByIds(database, ids);
    return { admins: 'money', notice: differencesNotice({ differences, total }) };
  },
);
