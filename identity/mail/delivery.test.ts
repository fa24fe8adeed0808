import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';
import { expect, it } from 'vitest';
import { freePorts } from '#tests/harness/platform/ports.ts';
import { PASSWORD, startProvider } from '../testing/provider.ts';

/** Creates a mail server that rejects a recipient such as `550@mail.example` with that code. */
function createMailServer(onEmail: (email: string) => void): SMTPServer {
  return new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, callback) {
      const [, code] = /^(\d+)@/.exec(address) ?? [];
      if (code === undefined) return callback();
      callback(Object.assign(new Error(`${address} is rejected.`), { responseCode: Number(code) }));
    },
    onData(stream, { envelope }, callback) {
      stream.resume().on('end', () => {
        for (const { address } of envelope.rcptTo) onEmail(address);
        callback();
      });
    },
  });
}

it('continues with other e-mails after a rejection and gives up permanently rejected ones', async () => {
  const port = await freePorts(1);
  const provider = await startProvider({
    mail: { smtpUrl: `smtp://127.0.0.1:${port}`, from: 'Coomercio <shop@coomercio.example>' },
  });
  const arrived: string[] = [];
  const server = createMailServer((email) => arrived.push(email));
  try {
    const people = ['550@mail.example', '450@mail.example', '552@mail.example', 'reader@mail.example'];
    for (const email of people) {
      const answer = await provider.call('POST', '/sign-up/email', { body: { email, password: PASSWORD } });
      expect(answer.status).toBe(200);
    }
    // The e-mail to the reader is due last.
    await provider.sql(
      `update letter set next_attempt_at = now() - interval '1 hour' + array_position($1::text[], email) * interval '1 minute'
         from "user" where "user".id = user_id`,
      [people],
    );
    server.listen(port, '127.0.0.1');
    await once(server.server, 'listening');
    await provider.call('POST', '/password/reset-letter', { body: { email: 'nobody@mail.example' } });
    await expect.poll(() => arrived).toEqual(['reader@mail.example']);
    expect(
      await provider.sql(
        `select email, next_attempt_at = 'infinity' as given_up from letter join "user" on "user".id = user_id
          where email <> 'reader@mail.example' order by email`,
      ),
    ).toEqual([
      { email: '450@mail.example', given_up: false },
      { email: '550@mail.example', given_up: true },
      { email: '552@mail.example', given_up: true },
    ]);
  } finally {
    await provider.stop();
    await new Promise((resolve) => server.close(() => resolve(null)));
  }
});
