import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { hostnameOf } from '#contract/platform/hosts.ts';
import { refuseOtherHosts } from './hosts.ts';
import { type StandIns, StartMessage, type StartResult } from './messages.ts';
import { readOrCreate } from './private-files.ts';

/** How long a stand-in waits for its port, in milliseconds. The stand-ins of a killed shop end within this time. */
const PORT_TIMEOUT = 2_500;

/** How long closing may take before the process exits, in milliseconds. */
const CLOSE_TIMEOUT = 1_500;

/** What the trial's account at the card processor holds at first. */
const OPENING_BALANCE_CENTS = 500_000;

const running: { close(): Promise<void> }[] = [];
let isExiting = false;

/** Closes the stand-ins and exits. All state is on disk already, so a timeout loses nothing. */
async function exit(code: number): Promise<void> {
  if (isExiting) return;
  isExiting = true;
  setTimeout(() => process.exit(code), CLOSE_TIMEOUT).unref();
  await Promise.allSettled(running.map((standIn) => standIn.close()));
  process.exit(code);
}

function sendResult(result: StartResult): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) return resolve();
    process.send(result, () => resolve());
  });
}

function portInUse(error: unknown): number | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'EADDRINUSE') return null;
  return 'port' in error && typeof error.port === 'number' ? error.port : 0;
}

/**
 * Starts one stand-in. Waits for a port that a stopping process still holds.
 * @throws Error with one sentence that names the stand-in and the port
 */
async function startStandIn<StandIn extends { close(): Promise<void> }>(
  name: string,
  start: () => Promise<StandIn>,
): Promise<StandIn> {
  const deadline = Date.now() + PORT_TIMEOUT;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const standIn = await start();
      running.push(standIn);
      return standIn;
    } catch (error) {
      const port = portInUse(error);
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

const Keys = z.object({
  cards: z.object({ secretKey: z.string(), publishableKey: z.string(), webhookSecret: z.string() }),
  google: z.object({ clientId: z.string(), clientSecret: z.string() }),
  carriers: z.object({ apiKey: z.string(), webhookSecret: z.string() }),
  /** Signs text messages; base64. */
  sms: z.string(),
});

const randomHex = (bytes: number) => randomBytes(bytes).toString('hex');

/**
 * Reads the keys of the stand-ins, and generates them at the first start. Only their owner may read the file.
 * @throws if the folder cannot be used or the file is damaged
 */
function readKeys(folder: string): Promise<z.infer<typeof Keys>> {
  return readOrCreate(join(folder, 'keys.json'), Keys, () => ({
    cards: {
      secretKey: `sk_test_${randomHex(24)}`,
      publishableKey: `pk_test_${randomHex(24)}`,
      webhookSecret: `whsec_${randomHex(24)}`,
    },
    google: {
      clientId: `${randomHex(12)}.apps.googleusercontent.com`,
      clientSecret: `GOCSPX-${randomHex(14)}`,
    },
    carriers: { apiKey: `EZTK${randomHex(24)}`, webhookSecret: randomHex(24) },
    sms: randomBytes(32).toString('base64'),
  }));
}

async function startAll({
  dataFolder,
  host,
  ports,
  which,
  webhookUrl,
  carrierWebhookUrl,
  shopOrigins,
}: StartMessage): Promise<StandIns> {
  const keys = await readKeys(dataFolder);
  const hostNames = shopOrigins.map(hostnameOf);
  // Loaded on demand, because each import delays the start.
  const [cards, google, mail, carriers] = await Promise.all([
    which.cards &&
      startStandIn('the card processor', async () => {
        const { startCardSandbox } = await import('@coomercio/card-sandbox');
        const folder = join(dataFolder, 'cards');
        const install = (app: FastifyInstance) => refuseOtherHosts(app, hostNames);
        return startCardSandbox({
          port: ports.cards,
          host,
          dataFolder: folder,
          webhookUrl,
          install,
          ...keys.cards,
          // As the operator of a shop sets it at Stripe: automatic payouts would take the money that the shop holds.
          payouts: 'manual',
          // Refunds of settled charges need a balance, also of the first sale, whose fee is gone.
          openingBalance: OPENING_BALANCE_CENTS,
        });
      }),
    which.google &&
      startStandIn('Google', async () => {
        const { startGoogle } = await import('./google/start.ts');
        const folder = join(dataFolder, 'google');
        return startGoogle({
          port: ports.google,
          host,
          dataFolder: folder,
          origins: shopOrigins,
          ...keys.google,
        });
      }),
    which.mail &&
      startStandIn('the mail server', async () => {
        const { startMail } = await import('./mail/start.ts');
        const folder = join(dataFolder, 'mail');
        return startMail({
          smtpPort: ports.smtp,
          httpPort: ports.mail,
          dataFolder: folder,
          host,
          hostNames,
          smsKey: keys.sms,
        });
      }),
    which.carriers &&
      startStandIn('carriers', async () => {
        const { startCarriers } = await import('./carriers/start.ts');
        return startCarriers({
          port: ports.carriers,
          host,
          dataFolder: join(dataFolder, 'carriers'),
          hostNames,
          webhookUrl: carrierWebhookUrl,
          ...keys.carriers,
        });
      }),
  ]);
  return {
    ...(cards && {
      cards: { apiUrl: cards.origin, scriptUrl: `${cards.origin}/stripe.js`, ...keys.cards },
    }),
    ...(carriers && { carriers: { ...keys.carriers, apiUrl: carriers.origin } }),
    ...(google && { google: { issuer: google.issuer, ...keys.google } }),
    ...(mail && { mail: { smtpUrl: mail.smtpUrl, inboxUrl: mail.inboxUrl, sms: mail.sms } }),
  };
}

// The channel closes when the shop's process ends, even after SIGKILL.
process.once('disconnect', () => exit(0));
process.once('SIGTERM', () => exit(0));
process.once('message', async (message) => {
  try {
    const standIns = await startAll(StartMessage.parse(message));
    await sendResult({ kind: 'running', standIns });
  } catch (error) {
    await sendResult({ kind: 'failed', sentence: error instanceof Error ? error.message : String(error) });
    await exit(1);
  }
});
