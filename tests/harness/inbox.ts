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
  /** What has come for an address so far, the latest first. */
  to(email: string): Promise<Message[]>;
  /** The latest mail to an address whose subject is this, once it is there. */
  arrival(email: string, subject: string): Promise<Message>;
  close(): Promise<void>;
}

/** A mail server that takes everything, for tests that read what was sent. @param smtpPort 0 for any free one */
export async function startInbox(smtpPort = 0): Promise<Inbox> {
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-inbox-'));
  const mail = await startMail({ smtpPort, httpPort: 0, dataFolder: folder });
  async function to(email: string): Promise<Message[]> {
    const answer = await fetch(`${mail.inboxUrl}/messages.json?to=${encodeURIComponent(email)}`);
    return Messages.parse(await answer.json());
  }
  return {
    smtpUrl: mail.smtpUrl,
    to,
    arrival: (email, subject) =>
      vi.waitFor(
        async () => {
          const found = (await to(email)).find((message) => message.subject === subject);
          if (found === undefined) throw new Error(`${email} has no mail “${subject}”.`);
          return found;
        },
        { timeout: 12_000, interval: 50 },
      ),
    async close() {
      await mail.close();
      await rm(folder, { recursive: true });
    },
  };
}
