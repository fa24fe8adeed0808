import fastify from 'fastify';
import { refuseOtherHosts } from '../hosts.ts';
import { serveInbox } from './inbox.ts';
import { Mailbox } from './mailbox.ts';
import { startSmtp } from './smtp.ts';

export interface MailOptions {
  /** 0 for any free port. */
  smtpPort: number;
  /** 0 for any free port. */
  httpPort: number;
  /** The folder of the e-mails, created if missing. Only one process may use it at a time. */
  dataFolder: string;
  /** The address to listen on. @default '127.0.0.1' */
  host?: string;
  /** Host names of the inbox, besides those of this machine. */
  hostNames?: readonly string[];
}

/**
 * Starts the mail catcher: an SMTP server that accepts every e-mail, and an inbox that shows them.
 * @throws if a port is in use or the folder cannot be used
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
        await mailbox.flushed();
      },
    };
  } catch (error) {
    await smtp.close();
    throw error;
  }
}
