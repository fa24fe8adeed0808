import { createTransport } from 'nodemailer';

/** A message to one person. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Sends mail. @throws when the server refuses it or cannot be reached; nothing was sent then */
export interface Mailer {
  send(mail: Mail): Promise<void>;
  close(): void;
}

/**
 * Mail by SMTP.
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
      // A message is made of the shop's own texts only: nothing in it may name a file or an address to fetch.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from: options.from },
  );
  return {
    send: async (mail) => {
      // Nobody has such an address (RFC 2606): it stands for somebody who has left, to whom nothing is sent.
      if (mail.to.endsWith('.invalid')) return;
      await transport.sendMail(mail);
    },
    close: () => transport.close(),
  };
}
