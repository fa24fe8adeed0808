import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { expect, test } from 'vitest';
import { type OpenEmailSender, testEmailSender } from '#tests/harness/ports/email-sender.ts';
import { createEmailSender } from './email.ts';

/** Starts a mail server that answers an address such as `550@mail.example` with this code. */
async function open(): Promise<OpenEmailSender & { givenUp: number[] }> {
  const received: { to: string; content: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _session, callback) => {
      const responseCode = Number.parseInt(address, 10);
      callback(Number.isNaN(responseCode) ? undefined : Object.assign(new Error('No.'), { responseCode }));
    },
    onData: (stream, { envelope }, callback) => {
      const to = envelope.rcptTo.map(({ address }) => address).join();
      void text(stream).then((content) => {
        received.push({ to, content });
        callback();
      });
    },
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
  const disconnect = async () => {
    if (!server.listening) return;
    sender.close();
    server.close();
    await once(server, 'close');
  };
  return {
    ...{ sender, givenUp, disconnect, received: () => received },
    refused: { forGood: '550@mail.example', forNow: '450@mail.example' },
    [Symbol.asyncDispose]: disconnect,
  };
}

testEmailSender(open);

test('the code with which a mail server refuses a recipient for good is told', async () => {
  await using opened = await open();
  await opened.sender.send({
    fromName: 'Shop',
    to: '553@mail.example',
    subject: 'Hi',
    text: 'Hi',
    html: 'Hi',
  });
  expect(opened.givenUp).toEqual([553]);
});

test('no subject and no name of a sender is sent as an encoded word, which mail programs would decode', async () => {
  await using opened = await open();
  const name = 'Dell =?utf-8?B?Q29vbWVyY2lvOiBwYXkgaGVyZQ==?= x';
  await opened.sender.send({
    fromName: name,
    to: 'bea@mail.example',
    subject: `Your booking of the ${name} é`,
    text: 'Hi',
    html: 'Hi',
  });
  const email = await PostalMime.parse(opened.received()[0]?.content ?? '');
  expect(email.subject).toBe('Your booking of the Dell = ?utf-8?B?Q29vbWVyY2lvOiBwYXkgaGVyZQ== ?= x é');
  expect(email.from?.name).toBe('Dell = ?utf-8?B?Q29vbWVyY2lvOiBwYXkgaGVyZQ== ?= x');
});
