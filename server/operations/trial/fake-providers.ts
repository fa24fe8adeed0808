import { join } from 'node:path';
import type { Stop } from '#server/platform/shutdown.ts';
import { type Config, internalOrigin } from '../configuration/config.ts';
import type { Providers } from '../configuration/providers.ts';

/** The ports of the fakes, counted from `SANDBOX_PORT`. */
export const fakePorts = { cards: 0, google: 1, mail: 2, smtp: 3, carriers: 4 } as const;

/**
 * Starts stand-ins for the providers that are not configured.
 * @param stops gets how to stop them
 * @returns all providers, the lines to print about the stand-ins, and the URL of the mail catcher's inbox
 */
export async function startStandIns(
  config: Config,
  stops: Stop[],
): Promise<{ providers: Providers; notes: string[]; inboxUrl: string | null }> {
  const { cards, carriers, google, mail, sms, sandboxPort } = config;
  const configuredGoogle = google.kind === 'google' ? google : null;
  const configuredSms = sms.kind === 'hook' ? { url: sms.url, key: sms.key.toString('base64') } : null;
  const configuredCarriers = carriers.kind === 'easypost' ? carriers : null;
  if (
    cards.kind === 'stripe' &&
    mail.kind === 'smtp' &&
    google.kind !== 'sandbox' &&
    carriers.kind !== 'sandbox'
  ) {
    const providers = {
      cards,
      carriers: configuredCarriers,
      google: configuredGoogle,
      smtpUrl: mail.url,
      sms: configuredSms,
    };
    return { providers, notes: [], inboxUrl: null };
  }

  const { describeStandIns, startSandbox } = await import('#sandbox/start.ts');
  const portOf = (fake: keyof typeof fakePorts) => (sandboxPort === 0 ? 0 : sandboxPort + fakePorts[fake]);
  const sandbox = await startSandbox({
    dataFolder: join(config.dataFolder, 'sandbox'),
    host: '127.0.0.1',
    ports: {
      cards: portOf('cards'),
      google: portOf('google'),
      mail: portOf('mail'),
      smtp: portOf('smtp'),
      carriers: portOf('carriers'),
    },
    which: {
      cards: cards.kind === 'sandbox',
      google: google.kind === 'sandbox',
      mail: mail.kind === 'sandbox',
      carriers: carriers.kind === 'sandbox',
    },
    webhookUrl: `${internalOrigin(config)}/webhooks/stripe`,
    carrierWebhookUrl: `${internalOrigin(config)}/webhooks/easypost`,
    shopOrigins: [config.origin, ...config.otherOrigins],
    log: (message) => console.warn(message),
  });
  stops.push(() => sandbox.stop());
  const cardsAccess = cards.kind === 'stripe' ? cards : sandbox.cards;
  const smtpUrl = mail.kind === 'smtp' ? mail.url : sandbox.mail?.smtpUrl;
  if (cardsAccess === undefined || smtpUrl === undefined) throw new Error('The stand-ins did not start.');
  return {
    providers: {
      cards: cardsAccess,
      carriers: sandbox.carriers ?? configuredCarriers,
      google: google.kind === 'sandbox' ? (sandbox.google ?? null) : configuredGoogle,
      smtpUrl,
      sms: sms.kind === 'sandbox' ? (sandbox.mail?.sms ?? null) : configuredSms,
    },
    notes: describeStandIns(sandbox),
    inboxUrl: sandbox.mail?.inboxUrl ?? null,
  };
}
