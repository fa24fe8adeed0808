import type * as z from 'zod/mini';
import type { Database } from '#server/platform/database/tables.ts';
import { type Job, job } from '#server/platform/jobs/queue.ts';
import type { Work } from '#server/platform/jobs/work.ts';
import type { Notice, Notifier, Recipient } from './rules.ts';

export interface NotificationDependencies {
  database: Database;
  notifier: Notifier;
}

/** What is sent to whom. */
export type Addressed = Recipient & {
  /** The laptop that it is about: lists show one line for each. */
  laptopId?: string;
  notice: Notice;
};

/** A type of jobs each of which notifies one person: an email that the mail server rejects is retried without notifying others again. */
export interface Notification<Data extends object, Dependencies> extends Job<Data> {
  /** Declares that this process sends it. */
  sendIn(work: Pick<Work, 'handle'>, dependencies: Dependencies): void;
}

/**
 * Declares a notification.
 * @param write returns whom the job's data notify, and of what; nothing when that is outdated
 */
export function notification<
  Data extends object,
  Dependencies extends Pick<NotificationDependencies, 'notifier'> = NotificationDependencies,
>(
  name: string,
  data: z.ZodMiniType<Data>,
  write: (dependencies: Dependencies, data: Data) => Promise<Addressed | null | undefined>,
): Notification<Data, Dependencies> {
  const type = job(name, data);
  return {
    ...type,
    sendIn: (work, dependencies) =>
      work.handle(type, async (given, event) => {
        const addressed = await write(dependencies, given);
        if (!addressed) return;
        const { notice, ...recipient } = addressed;
        await dependencies.notifier.notify({ ...recipient, event }, notice);
      }),
  };
}
