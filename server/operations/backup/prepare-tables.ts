import { createIdentity } from '#identity/provider.ts';
import { createQueue } from '#server/platform/jobs/queue.ts';
import { createLogger } from '../log/log.ts';
import type { RestoreTarget } from './restore-target.ts';

/** Creates the tables of the identity provider and of the queue in the database of a restore. */
export const tablePreparation = (
  connectionString: string,
  origin: string,
): Pick<RestoreTarget, 'prepareIdentity' | 'prepareQueue'> => ({
  prepareIdentity: async () => {
    const identity = await createIdentity(
      {
        databaseUrl: connectionString,
        origin,
        trustedOrigins: [],
        // Only creates tables. Rows that are signed or encrypted with this are deleted before the import.
        secret: 'temporary secret, only to create the tables',
        serviceSecret: 'temporary secret, only to create the tables',
      },
      createLogger('error'),
    );
    await identity.close();
  },
  prepareQueue: async () => {
    const queue = createQueue(connectionString, (error) => console.error(error.message));
    await queue.start([]);
    await queue.stop();
  },
});
