import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';
import { expect, test } from 'vitest';
import type { EmailMessage } from '#server/people/notifications/email-sender.ts';
import { createEmailSender } from './email.ts';

const messageTo = (to: string): EmailMessage => ({
  fromName: 'Coomercio',
  to,
  subject: 'Hello',
  text: 'Hello.',
  html: '<p>Hello.</p>',
});

test('an email is given up when the server refuses its recipient for good, and fails when it does so for now', async () => {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, callback) => {
      const responseCode = Number.parseInt(address, 10);
      callback(Number.isNaN(responseCode) ? undefined : Object.assign(new Error('No.'), { responseCode }));
    },
    onData: (stream, _session, callback) => void stream.resume().on('end', () => callback()),
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const givenUp: number[] = [];
  const sender = createEmailSender({
    url: `smtp://127.0.0.1:${address.port}`,
    from: 'shop@coomercio.example',
    onGivenUp: (responseCode) => givenUp.push(responseCode),
  });
  try {
    await sender.send(messageTo('reader@mail.example'));
    expect(givenUp).toEqual([]);
    await sender.send(messageTo('550@mail.example'));
    expect(givenUp).toEqual([550]);
    await expect(sender.send(messageTo('450@mail.example'))).rejects.toThrow();
    expect(givenUp).toEqual([550]);
  } finally {
    sender.close();
    server.close();
    await once(server, 'close');
  }
  await expect(sender.send(messageTo('reader@mail.example'))).rejects.toThrow();
});
