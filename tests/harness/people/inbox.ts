import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import * as z from 'zod/mini';
import { startMail } from '#sandbox/mail/start.ts';

const Messages = z.array(
  z.object({
    to: z.array(z.string()),
    subject: z.string(),
    text: z.nullable(z.string()),
    html: z.nullable(z.string()),
  }),
);
type Message = z.infer<typeof Messages>[number];

export interface Inbox {
  readonly smtpUrl: string;
  /** Returns the emails received for an address, newest first. */
  emailsTo(email: string): Promise<Message[]>;
  /** Waits for an email with this subject and returns the newest. @throws after 12 seconds */
  waitForEmail(email: string, subject: string): Promise<Message>;
  close(): Promise<void>;
}

/** Starts an SMTP server that accepts every email. @param smtpPort 0 for any free port */
export async function startInbox(smtpPort = 0): Promise<Inbox> {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-inbox-'));
  const mail = await startMail({ smtpPort, httpPort: 0, dataFolder: folder });
  async function emailsTo(email: string): Promise<Message[]> {
    const answer = await fetch(`${mail.inboxUrl}/messages.json?to=${encodeURIComponent(email)}`);
    return Messages.parse(await answer.json());
  }
  return {
    smtpUrl: mail.smtpUrl,
    emailsTo,
    waitForEmail: (email, subject) =>
      vi.waitFor(
        async () => {
          const found = (await emailsTo(email)).find((message) => message.subject === subject);
          if (found === undefined) throw new Error(`${email} has no email “${subject}”.`);
          return found;
        },
        { timeout: 60_000, interval: 50 },
      ),
    async close() {
      await mail.close();
      await rm(folder, { recursive: true });
    },
  };
}
