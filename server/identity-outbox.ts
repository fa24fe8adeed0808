import { DueEmail, type Outbox } from '#identity/mail/emails.ts';
import { job, type Queue } from '#server/platform/jobs/queue.ts';
import type { Work } from '#server/platform/jobs/work.ts';

/** An email of the identity provider is due. Somebody waits for it, so it precedes the shop's notices. */
export const identityEmailDue = job('identity.email-due', DueEmail, 'notices', 1);

/** Keeps the identity provider's emails in a job queue. */
export const createIdentityOutbox = (
  queue: Pick<Queue, 'enqueueAlone'>,
  work: Pick<Work, 'handle'>,
): Outbox => ({
  add: (email) => queue.enqueueAlone(identityEmailDue, email),
  handle: (send) => work.handle(identityEmailDue, send),
});
