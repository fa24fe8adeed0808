import { createTransport } from 'nodemailer';

/** An email to one recipient. */
export interface EmailMessage {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** For emails of a subscription. */
  unsubscribe?: {
    /** An HTTPS URL that stops these emails when a mail program sends a POST to it (RFC 8058). */
    url: string;
  };
  /** Identifies the email when it is sent again, so that mail programs show it once: letters, digits, hyphens. */
  id?: string;
}

export interface EmailSender {
  /** Sends an email. @throws Error when the server rejects it or cannot be reached */
  send(message: EmailMessage): Promise<void>;
  /** Connects and signs in without sending anything. @throws Error when that fails */
  verify(): Promise<void>;
  close(): void;
}

/**
 * Creates a sender that uses SMTP.
 * @param options.url such as `smtps://user:password@mail.example:465`
 * @param options.from the sender, such as `Coomercio <shop@example.com>`
 */
export function createEmailSender(options: { url: string; from: string }): EmailSender {
  const transport = createTransport(
    {
      url: options.url,
      pool: true,
      maxConnections: 2,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
      // Emails contain text and HTML only: they may not include files or URLs that nodemailer would fetch.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from: options.from },
  );
  const messageHost = /@([A-Za-z0-9.-]+)>?\s*$/.exec(options.from)?.[1] ?? 'localhost';
  return {
    send: async (message) => {
      // Anonymized accounts have an address in this reserved domain (RFC 2606).
      if (message.to.endsWith('.invalid')) return;
      const { unsubscribe, id, ...content } = message;
      await transport.sendMail({
        ...content,
        ...(id !== undefined && { messageId: `<${id}@${messageHost}>` }),
        ...(unsubscribe !== undefined && {
          headers: {
            'List-Unsubscribe': { prepared: true, value: `<${unsubscribe.url}>` },
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          },
        }),
      });
    },
    verify: async () => {
      await transport.verify();
    },
    close: () => transport.close(),
  };
}
