import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { openMailTransport, type Rejection, readRejection } from '#emails/smtp.ts';
import type { EmailOutbox, QueuedEmail } from './outbox.ts';
import { hasLink, linkMinutes, renderTemplate } from './templates.ts';

export interface MailOptions {
  /** Such as `smtps://user:password@mail.example:465`. */
  readonly smtpUrl: string;
  /** The sender, such as `Coomercio <shop@example.com>`. */
  readonly from: string;
  /** Origin of the pages that links lead to. Default: the provider's own origin. */
  readonly shopOrigin?: string;
}

const RETRY_INTERVAL_MS = 10_000;

const CLEANUP_INTERVAL_MS = 3_600_000;

/** Sends queued e-mails in the background. */
export type EmailDelivery = ReturnType<typeof startEmailDelivery>;

/** Starts sending queued e-mails by SMTP, one at a time. */
export function startEmailDelivery(
  outbox: EmailOutbox,
  options: MailOptions & { shopOrigin: string },
  log: FastifyBaseLogger,
) {
  const transport = openMailTransport({ url: options.smtpUrl, from: options.from, maxConnections: 1 });
  let isClosed = false;
  let isTriggered = false;
  let running: Promise<void> | null = null;

  async function send(email: QueuedEmail): Promise<void> {
    let token: string | null = null;
    if (hasLink(email.kind)) {
      // The token is created on sending: a copy of the queue contains no valid link.
      token = randomBytes(32).toString('base64url');
      await outbox.activateLink(email, token, linkMinutes[email.kind]);
    }
    await transport.sendMail(
      renderTemplate({ kind: email.kind, to: email, token, shopOrigin: options.shopOrigin }),
    );
    await outbox.markSent(email.id);
  }

  /** Gives up an e-mail whose recipient does not exist; any other rejected e-mail is due again later. */
  async function handleRejection(
    { id, kind, userId }: QueuedEmail,
    { responseCode, isPermanent }: Rejection,
  ): Promise<void> {
    if (isPermanent) await outbox.giveUp(id);
    // The server's reply is not logged: it contains the address.
    log.warn(
      { letter: kind, account: userId, responseCode },
      isPermanent
        ? 'The mail server rejected an e-mail; it is not sent again'
        : 'The mail server rejected an e-mail; it is sent again later',
    );
  }

  async function sendAllDue(): Promise<void> {
    for (
      let email = await outbox.claimNext();
      email !== null && !isClosed;
      email = await outbox.claimNext()
    ) {
      try {
        await send(email);
      } catch (error) {
        const rejection = readRejection(error);
        if (rejection === null) throw error;
        await handleRejection(email, rejection);
      }
    }
  }

  /** Starts sending what is due, without waiting for it. */
  function trigger(): void {
    if (isClosed) return;
    isTriggered = true;
    running ??= (async () => {
      while (isTriggered && !isClosed) {
        isTriggered = false;
        await sendAllDue().catch((error: unknown) =>
          log.warn(
            { err: error },
            'An e-mail of the identity provider could not be sent; it is sent again later',
          ),
        );
      }
      running = null;
    })();
  }

  const retries = setInterval(trigger, RETRY_INTERVAL_MS);
  retries.unref();
  const cleanups = setInterval(() => {
    outbox
      .deleteOld()
      .catch((error: unknown) => log.warn({ err: error }, 'Old e-mails could not be deleted'));
  }, CLEANUP_INTERVAL_MS);
  cleanups.unref();
  trigger();

  return {
    trigger,
    /** Stops. Resolves when the current e-mail was sent or has failed. */
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(retries);
      clearInterval(cleanups);
      await running;
      transport.close();
    },
  };
}
