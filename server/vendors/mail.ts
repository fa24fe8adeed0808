import { createTransport } from 'nodemailer';

/** A message to one recipient. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  /** Sends a message. @throws when the server refuses it or cannot be reached; it was not sent then */
  send(mail: Mail): Promise<void>;
  close(): void;
}

/**
 * Creates a mailer that sends by SMTP.
 * @param options.url such as `smtps://user:password@mail.example:465`
 * @param options.from the sender, such as `Coomercio <shop@example.com>`
 */
export function createMailer(options: { url: string; from: string }): Mailer {
  const transport = createTransport(
    {
      url: options.url,
      pool: true,
      maxConnections: 2,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
      // Messages contain text and HTML only: they may not include files or URLs that nodemailer would fetch.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from: options.from },
  );
  return {
    send: async (mail) => {
      // Deleted accounts have an address in this reserved domain (RFC 2606).
      if (mail.to.endsWith('.invalid')) return;
      await transport.sendMail(mail);
    },
    close: () => transport.close(),
  };
}
