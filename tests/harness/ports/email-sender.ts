import { describe, expect, test } from 'vitest';
import type { EmailMessage, EmailSender } from '#server/people/notifications/email-sender.ts';

/** A sender with a mail server behind it. */
export interface OpenEmailSender extends AsyncDisposable {
  sender: EmailSender;
  /** What the mail server has received. */
  received(): readonly { to: string; content: string }[];
  /** Addresses that the mail server refuses for good, and for now. */
  refused: { forGood: string; forNow: string };
  /** Makes the mail server unreachable. */
  disconnect(): Promise<void>;
}

const messageTo = (to: string): EmailMessage => ({
  fromName: 'Second Life',
  to,
  subject: 'Hello',
  text: 'Good morning.',
  html: '<p>Good morning.</p>',
});

/** What every sender of emails must do. */
export function testEmailSender(open: () => Promise<OpenEmailSender>): void {
  describe('as a sender of emails', () => {
    test('it sends, gives up what is refused for good, and fails for what may succeed later', async () => {
      await using opened = await open();
      const { sender, received, refused, disconnect } = opened;
      await sender.verify();
      await sender.send(messageTo('reader@mail.example'));
      await sender.deliver(messageTo('reader@mail.example'));
      expect(received().map(({ to }) => to)).toEqual(['reader@mail.example', 'reader@mail.example']);
      expect(received()[0]?.content).toMatch(/From: .*Second Life[\s\S]*Subject: Hello[\s\S]*Good morning\./);
      await sender.send(messageTo(refused.forGood));
      await expect(sender.deliver(messageTo(refused.forGood))).rejects.toThrow();
      await expect(sender.send(messageTo(refused.forNow))).rejects.toThrow();
      // Deleted accounts have such addresses (RFC 2606).
      await sender.send(messageTo('deleted@accounts.invalid'));
      expect(received()).toHaveLength(2);
      await disconnect();
      await expect(sender.send(messageTo('reader@mail.example'))).rejects.toThrow();
      await expect(sender.verify()).rejects.toThrow();
    });
  });
}
