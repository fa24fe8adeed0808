import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import fastify from 'fastify';
import { SMTPServer } from 'smtp-server';
import { refuseOtherHosts } from '../hosts.ts';
import { serveInbox } from './inbox.ts';
import { Mailbox } from './mailbox.ts';
import { SMS_HOOK_PATH, serveSmsHook } from './sms-hook.ts';

/** The largest accepted email, in bytes. */
const MAXIMUM_BYTES = 25 * 1024 * 1024;

export interface MailOptions {
  /** 0 for any free port. */
  smtpPort: number;
  /** 0 for any free port. */
  httpPort: number;
  /** The folder of the emails, created if missing. Only one process may use it at a time. */
  dataFolder: string;
  /** The address to listen on. @default '127.0.0.1' */
  host?: string;
  /** Host names of the inbox, besides those of this machine. */
  hostNames?: readonly string[];
  /** The key with which the shop signs text messages, base64. @default a random one */
  smsKey?: string;
}

/**
 * Starts an SMTP server that accepts every email, with or without authentication, and delivers none.
 * @returns its port, and a function that stops it
 * @throws the listening error, such as EADDRINUSE
 */
async function startSmtp(
  mailbox: Mailbox,
  port: number,
  host: string,
): Promise<{ port: number; close(): Promise<void> }> {
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
          const { id } = await mailbox.add(raw, envelope);
          return `kept as ${id}`;
        })
        .then((answer) => callback(null, answer), callback);
    },
  });
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  server.listen(port, host, () => listening.resolve());
  await listening.promise;
  server.off('error', listening.reject);
  // Errors of a connection, such as a client that disconnects, concern only that client.
  server.on('error', (error) => console.error(`Mail catcher: ${error.message}`));
  const address = server.server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/**
 * Starts the mail catcher: an SMTP server that accepts every email, a hook that accepts text messages, and an inbox that shows
 * both.
 * @throws if a port is in use or the folder cannot be used
 */
export async function startMail(options: MailOptions): Promise<{
  smtpUrl: string;
  inboxUrl: string;
  sms: { url: string; key: string };
  close(): Promise<void>;
}> {
  const host = options.host ?? '127.0.0.1';
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const mailbox = await Mailbox.open(options.dataFolder);
  const inbox = fastify({ forceCloseConnections: true });
  refuseOtherHosts(inbox, options.hostNames);
  const smsKey = options.smsKey ?? randomBytes(32).toString('base64');
  await inbox.register((scope) => serveInbox(scope, mailbox));
  await inbox.register(async (scope) => serveSmsHook(scope, mailbox, Buffer.from(smsKey, 'base64')));
  const smtp = await startSmtp(mailbox, options.smtpPort, host).catch((error) => {
    mailbox.close();
    throw error;
  });
  try {
    const inboxUrl = await inbox.listen({ port: options.httpPort, host });
    return {
      smtpUrl: `smtp://${reachable}:${smtp.port}`,
      inboxUrl,
      sms: { url: `${inboxUrl}${SMS_HOOK_PATH}`, key: smsKey },
      async close() {
        await Promise.all([smtp.close(), inbox.close()]);
        mailbox.close();
      },
    };
  } catch (error) {
    await smtp.close();
    mailbox.close();
    throw error;
  }
}
