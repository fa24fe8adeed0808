import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { hostnameOf } from '#contract/hosts.ts';
import { refuseOtherHosts } from './hosts.ts';
import { Order, type Report, type StandIns } from './messages.ts';
import { keptSecrets } from './secrets.ts';

/** How long a stand-in waits for its port, in milliseconds: a killed shop's stand-ins end within this time. */
const PORT_PATIENCE = 2_500;

/** How long closing may take before the process ends without it, in milliseconds. */
const CLOSING_PATIENCE = 1_500;

const opened: { close(): Promise<void> }[] = [];
let ending = false;

/** Ends this process; what is kept is on the disk already, so being cut short loses nothing. */
async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  setTimeout(() => process.exit(code), CLOSING_PATIENCE).unref();
  await Promise.allSettled(opened.map((standIn) => standIn.close()));
  process.exit(code);
}

function tell(report: Report): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) return resolve();
    process.send(report, () => resolve());
  });
}

function takenPort(error: unknown): number | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'EADDRINUSE') return null;
  return 'port' in error && typeof error.port === 'number' ? error.port : 0;
}

/**
 * Starts one stand-in, waiting a moment for a port that is about to be given up.
 * @throws Error with a sentence that names the stand-in and the port
 */
async function open<StandIn extends { close(): Promise<void> }>(
  name: string,
  start: () => Promise<StandIn>,
): Promise<StandIn> {
  const deadline = Date.now() + PORT_PATIENCE;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const standIn = await start();
      opened.push(standIn);
      return standIn;
    } catch (error) {
      const port = takenPort(error);
      if (port === null) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`The stand-in for ${name} does not start: ${reason}`, { cause: error });
      }
      if (Date.now() > deadline) {
        throw new Error(
          `The stand-in for ${name} does not start: port ${port} is in use by another program.`,
        );
      }
      if (attempt === 1) console.warn(`The stand-in for ${name} waits for port ${port}.`);
      await pause(100);
    }
  }
}

async function run({ dataFolder, host, ports, which, webhookUrl, shopOrigins }: Order): Promise<StandIns> {
  const secrets = await keptSecrets(dataFolder);
  const { secretKey, publishableKey, webhookSecret, clientId, clientSecret } = secrets;
  const hostNames = shopOrigins.map(hostnameOf);
  // Each is loaded only when it is wanted: what is not loaded costs no time at the start.
  const [cards, google, mail] = await Promise.all([
    which.cards &&
      open('the card processor', async () => {
        const { startCardSandbox } = await import('@coomercio/card-sandbox');
        const folder = join(dataFolder, 'cards');
        const keys = { secretKey, publishableKey, webhookSecret };
        return startCardSandbox({
          port: ports.cards,
          host,
          dataFolder: folder,
          webhookUrl,
          install: (app) => refuseOtherHosts(app, hostNames),
          ...keys,
        });
      }),
    which.google &&
      open('Google', async () => {
        const { startGoogle } = await import('./google/start.ts');
        const folder = join(dataFolder, 'google');
        const client = { clientId, clientSecret };
        return startGoogle({ port: ports.google, host, dataFolder: folder, origins: shopOrigins, ...client });
      }),
    which.mail &&
      open('the mail server', async () => {
        const { startMail } = await import('./mail/start.ts');
        const folder = join(dataFolder, 'mail');
        return startMail({ smtpPort: ports.smtp, httpPort: ports.mail, dataFolder: folder, host, hostNames });
      }),
  ]);
  return {
    ...(cards && {
      cards: {
        apiUrl: cards.origin,
        scriptUrl: `${cards.origin}/stripe.js`,
        secretKey,
        publishableKey,
        webhookSecret,
        dashboardUrl: `${cards.origin}/`,
      },
    }),
    ...(google && { google: { issuer: google.issuer, clientId, clientSecret } }),
    ...(mail && { mail: { smtpUrl: mail.smtpUrl, inboxUrl: mail.inboxUrl } }),
  };
}

// The shop's process is gone, even when it was killed outright: nobody is left to stand in for.
process.once('disconnect', () => end(0));
process.once('SIGTERM', () => end(0));
process.once('message', async (message) => {
  try {
    const standIns = await run(Order.parse(message));
    await tell({ kind: 'running', standIns });
  } catch (error) {
    await tell({ kind: 'failed', sentence: error instanceof Error ? error.message : String(error) });
    await end(1);
  }
});
