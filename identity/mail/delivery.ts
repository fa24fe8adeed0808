import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { createTransport } from 'nodemailer';
import * as z from 'zod/mini';
import type { LetterStore, WaitingLetter } from './store.ts';
import { hasLink, linkMinutes, renderEmail } from './templates.ts';

export interface MailOptions {
  /** Such as `smtps://user:password@mail.example:465`. */
  readonly smtpUrl: string;
  /** The sender, such as `Coomercio <shop@example.com>`. */
  readonly from: string;
  /** Where the pages are that links lead to; the provider's own origin when left out. */
  readonly shopOrigin?: string;
}

/** How often letters that could not be sent are looked at again, in milliseconds. */
const ROUND = 10_000;

/** What the mail server said against one letter; whatever else goes wrong would befall the next one as well. */
const Refused = z.object({
  code: z.enum(['EENVELOPE', 'EMESSAGE']),
  command: z.optional(z.string()),
  responseCode: z.number(),
});

/** Sends the letters that wait, now and whenever one could not be sent before. */
export interface Post {
  /** Looks at once whether a letter waits, without waiting for it to be sent. */
  hurry(): void;
  /** Resolves when the letter under way is sent or has failed. */
  close(): Promise<void>;
}

/** Begins to send waiting letters by SMTP, one after the other. */
export function startPost(
  letters: LetterStore,
  options: MailOptions & { shopOrigin: string },
  log: FastifyBaseLogger,
): Post {
  const transport = createTransport(
    {
      url: options.smtpUrl,
      pool: true,
      maxConnections: 1,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
      // A message is made of our own texts only: nothing in it may name a file or an address to fetch.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from: options.from },
  );
  let closed = false;
  let again = false;
  let running: Promise<void> | null = null;

  async function send(letter: WaitingLetter): Promise<void> {
    let token: string | null = null;
    if (hasLink(letter.kind)) {
      // The token is made only now: until the letter goes out there is nothing that somebody could take.
      token = randomBytes(32).toString('base64url');
      await letters.activate(letter, token, linkMinutes[letter.kind]);
    }
    await transport.sendMail(
      renderEmail({ kind: letter.kind, to: letter, token, shopOrigin: options.shopOrigin }),
    );
    await letters.sent(letter.id);
  }

  /** Leaves a letter that was refused to a later round, or for good when there is no such recipient. */
  async function putAside(
    { id, kind, userId }: WaitingLetter,
    refused: z.infer<typeof Refused>,
  ): Promise<void> {
    const forGood = refused.command === 'RCPT TO' && refused.responseCode >= 500;
    if (forGood) await letters.giveUp(id);
    // Not the server's own words: they have the address in them.
    log.warn(
      { letter: kind, account: userId, responseCode: refused.responseCode },
      forGood ? 'A letter was refused and is given up' : 'A letter was refused and is tried again later',
    );
  }

  async function sendAll(): Promise<void> {
    for (let letter = await letters.take(); letter !== null && !closed; letter = await letters.take()) {
      try {
        await send(letter);
      } catch (error) {
        const refused = Refused.safeParse(error);
        if (!refused.success) throw error;
        await putAside(letter, refused.data);
      }
    }
  }

  function hurry(): void {
    if (closed) return;
    again = true;
    running ??= (async () => {
      while (again && !closed) {
        again = false;
        await sendAll().catch((error: unknown) =>
          log.warn({ err: error }, 'A letter of the identity provider could not be sent yet'),
        );
      }
      running = null;
    })();
  }

  const rounds = setInterval(hurry, ROUND);
  rounds.unref();
  const tidying = setInterval(() => {
    letters.tidy().catch((error: unknown) => log.warn({ err: error }, 'Old letters could not be dropped'));
  }, 3_600_000);
  tidying.unref();
  hurry();

  return {
    hurry,
    async close() {
      closed = true;
      clearInterval(rounds);
      clearInterval(tidying);
      await running;
      transport.close();
    },
  };
}
