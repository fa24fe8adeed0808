import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import type { Mailbox } from './mailbox.ts';

/** The largest accepted e-mail, in bytes. */
const MAXIMUM_BYTES = 25 * 1024 * 1024;

/**
 * Starts an SMTP server that accepts every e-mail, with or without authentication, and delivers none.
 * @returns its port, and a function that stops it
 * @throws the listening error, such as EADDRINUSE
 */
export async function startSmtp(options: {
  port: number;
  host: string;
  mailbox: Mailbox;
}): Promise<{ port: number; close(): Promise<void> }> {
  const server = new SMTPServer({
    name: 'mail.sandbox',
    banner: 'every mail is welcome, none leaves this machine',
    size: MAXIMUM_BYTES,
    authOptional: true,
    allowInsecureAuth: true,
    // No STARTTLS: its certificate would be self-signed, which clients with opportunistic TLS refuse.
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 500,
    onAuth: (auth, _session, callback) => callback(null, { user: auth.username ?? 'anybody' }),
    onData: (stream, session, callback) => {
      const { mailFrom, rcptTo } = session.envelope;
      const envelope = {
        from: mailFrom === false ? '' : mailFrom.address,
        to: rcptTo.map(({ address }) => address),
      };
      buffer(stream)
        .then(async (raw) => {
          if (stream.sizeExceeded) {
            const limit = `${MAXIMUM_BYTES / 1024 / 1024} MB`;
            throw Object.assign(new Error(`A mail can be at most ${limit}.`), { responseCode: 552 });
          }
          const { id } = await options.mailbox.add(raw, envelope);
          return `kept as ${id}`;
        })
        .then((answer) => callback(null, answer), callback);
    },
  });
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  server.listen(options.port, options.host, () => listening.resolve());
  await listening.promise;
  server.off('error', listening.reject);
  // Errors of a connection, such as a client that disconnects, concern only that client.
  server.on('error', (error) => console.error(`Mail catcher: ${error.message}`));
  return {
    port: portOf(server.server.address()),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}
