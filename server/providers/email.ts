import { openMailTransport, readRejection } from '#emails/smtp.ts';
import { breakEncodedWords } from '#emails/user-text.ts';
import type { EmailMessage, EmailSender } from '#server/people/notifications/email-sender.ts';

/**
 * Creates a sender that uses SMTP.
 * @param options.url such as `smtps://user:password@mail.example:465`
 * @param options.from the address of the sender
 * @param options.onGivenUp is called with the mail server's reply code when an email is given up
 */
export function createEmailSender(options: {
  url: string;
  from: string;
  onGivenUp: (responseCode: number) => void;
}): EmailSender {
  const transport = openMailTransport({ ...options, maxConnections: 2 });
  const messageHost = /@([A-Za-z0-9.-]+)$/.exec(options.from)?.[1] ?? 'localhost';

  async function deliver({ fromName, unsubscribe, id, ...content }: EmailMessage): Promise<void> {
    await transport.sendMail({
      ...content,
      subject: breakEncodedWords(content.subject),
      from: { name: breakEncodedWords(fromName), address: options.from },
      ...(id !== undefined && { messageId: `<${id}@${messageHost}>` }),
      ...(unsubscribe !== undefined && {
        headers: {
          'List-Unsubscribe': { prepared: true, value: `<${unsubscribe.url}>` },
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
      }),
    });
  }

  return {
    deliver,
    send: async (message) => {
      // Anonymized accounts have an address in this reserved domain (RFC 2606).
      if (message.to.endsWith('.invalid')) return;
      try {
        await deliver(message);
      } catch (error) {
        const rejection = readRejection(error);
        if (rejection?.isPermanent !== true) throw error;
        options.onGivenUp(rejection.responseCode);
      }
    },
    verify: async () => {
      await transport.verify();
    },
    close: () => transport.close(),
  };
}
