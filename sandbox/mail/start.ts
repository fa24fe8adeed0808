import fastify from 'fastify';
import { refuseOtherHosts } from '../hosts.ts';
import { serveInbox } from './inbox.ts';
import { Mailbox } from './mailbox.ts';
import { startSmtp } from './smtp.ts';

export interface MailOptions {
  /** 0 for any free one. */
  smtpPort: number;
  /** 0 for any free one. */
  httpPort: number;
  /** Where the mails are kept; made when it is missing. One process at a time. */
  dataFolder: string;
  /** 127.0.0.1 when left out. */
  host?: string;
  /** Host names under which the inbox may be asked for, beside those of this machine. */
  hostNames?: readonly string[];
}

/**
 * Starts the mail catcher: SMTP that takes every mail, and an inbox in which they can be read.
 * @throws when a port is taken or the folder cannot be used
 */
export async function startMail(
  options: MailOptions,
): Promise<{ smtpUrl: string; inboxUrl: string; close(): Promise<void> }> {
  const host = options.host ?? '127.0.0.1';
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const mailbox = await Mailbox.open(options.dataFolder);
  const inbox = fastify({ forceCloseConnections: true });
  refuseOtherHosts(inbox, options.hostNames);
  await inbox.register((scope) => serveInbox(scope, mailbox));
  const smtp = await startSmtp({ port: options.smtpPort, host, mailbox });
  try {
    const inboxUrl = await inbox.listen({ port: options.httpPort, host });
    return {
      smtpUrl: `smtp://${reachable}:${smtp.port}`,
      inboxUrl,
      async close() {
        await Promise.all([smtp.close(), inbox.close()]);
        await mailbox.settled();
      },
    };
  } catch (error) {
    await smtp.close();
    throw error;
  }
}
