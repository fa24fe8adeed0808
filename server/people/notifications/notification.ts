import type * as z from 'zod/mini';
import type { StaffArea } from '#contract/platform/staff-rights.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { throwAll } from '#server/platform/jobs/batches.ts';
import { type Job, job } from '#server/platform/jobs/queue.ts';
import type { Work } from '#server/platform/jobs/work.ts';
import { findAdminsOf } from '../accounts/steps.ts';
import type { NotificationText, Notifier } from './rules.ts';

export interface NotificationDependencies {
  database: Database;
  notifier: Notifier;
}

/** What is sent to whom: to a person, or to each admin who works in an area. */
export type Addressed = ({ userId: string } | { admins: StaffArea }) & {
  /** The laptop that it is about: lists show one line for each. */
  laptopId?: string;
  text: NotificationText;
};

/** A type of jobs that notify people of one event. */
export interface Notification<Data extends object, Dependencies> extends Job<Data> {
  /** Declares that this process sends it. */
  sendIn(work: Pick<Work, 'handle'>, dependencies: Dependencies): void;
}

type Written = Addressed | null | undefined;

/** The people to notify. The id of an event makes one notification for each, however often the job runs. */
async function recipientsOf(
  { database }: Pick<NotificationDependencies, 'database'>,
  { text: _, ...to }: Addressed,
  event: string,
): Promise<Parameters<Notifier['notify']>[0][]> {
  if (!('admins' in to)) return [{ ...to, event }];
  const { admins: area, ...about } = to;
  const ids = await findAdminsOf(database, area);
  // An admin who bought or sold before can be told as both.
  return ids.map((adminId) => ({ ...about, adminId, area, event: `${event} ${area}` }));
}

/**
 * Declares a notification. When it fails for one person, such as by an email that the mail server rejects, the others are notified, and
 * not again by the job's retry. The job fails with all failures.
 * @param write returns whom the job's data notify, and of what; nothing when that is outdated
 */
export function notification<
  Data extends object,
  Dependencies extends NotificationDependencies = NotificationDependencies,
>(
  name: string,
  data: z.ZodMiniType<Data>,
  write: (dependencies: Dependencies, data: Data) => Promise<Written | readonly Written[]>,
): Notification<Data, Dependencies> {
  const type = job(name, data);
  return {
    ...type,
    sendIn: (work, dependencies) =>
      work.handle(type, async (given, event) => {
        const due: Parameters<Notifier['notify']>[] = [];
        for (const each of [await write(dependencies, given)].flat()) {
          if (!each) continue;
          for (const recipient of await recipientsOf(dependencies, each, event))
            due.push([recipient, each.text]);
        }
        const failures: unknown[] = [];
        // One after another: several jobs run at once, and each call takes a connection to the database and one to the mail server.
        for (const notified of due) {
          await dependencies.notifier.notify(...notified).catch((error: unknown) => failures.push(error));
        }
        throwAll(failures, 'some people could not be notified');
      }),
  };
}
