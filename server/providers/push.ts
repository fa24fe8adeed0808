import { createECDH } from 'node:crypto';
import type { PushAddress, PushSender } from '#server/people/notifications/push-sender.ts';

/** The hosts of the push services of Chrome and Edge, Firefox, Safari, and Edge on Windows. A leading dot stands for subdomains. */
const knownHosts = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '.push.apple.com',
  '.notify.windows.com',
] as const;

/** How long a push service may take to respond, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** The answers by which a push service says that a subscription has ended, or is not for this shop's key (RFC 8030, RFC 8292). */
const endedStatuses: readonly number[] = [401, 403, 404, 410];

/** Derives the key pair of RFC 8292 from 32 secret bytes. @returns both keys in base64url */
function deriveKeys(secret: Uint8Array): { publicKey: string; privateKey: string } {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(secret);
  return { publicKey: ecdh.getPublicKey('base64url'), privateKey: ecdh.getPrivateKey('base64url') };
}

/**
 * Creates a sender of push messages (RFC 8030, RFC 8291, RFC 8292).
 * @param options.secret 32 bytes, of which the key pair is derived
 * @param options.origin the shop's origin, by which a push service's operator can find the shop
 * @param options.otherServices origins of further push services, such as one of a company
 */
export function createPushSender({
  secret,
  origin,
  otherServices,
}: {
  secret: Uint8Array;
  origin: string;
  otherServices: readonly string[];
}): PushSender {
  const keys = deriveKeys(secret);
  // Push services accept https and mailto only.
  const subject = origin.startsWith('https:') ? origin : 'mailto:shop@localhost';

  function isKnownService(endpoint: string): boolean {
    if (!URL.canParse(endpoint)) return false;
    const url = new URL(endpoint);
    // `fetch` refuses to send to these.
    if (url.username !== '' || url.password !== '') return false;
    if (otherServices.includes(url.origin)) return true;
    if (url.protocol !== 'https:' || url.port !== '') return false;
    return knownHosts.some((host) =>
      host.startsWith('.')
        ? url.hostname.endsWith(host) && !url.hostname.startsWith('.')
        : url.hostname === host,
    );
  }

  async function encrypt({ endpoint, p256dh, auth }: PushAddress, text: string, ttlMs: number) {
    // Loaded at its first use: most shops have no push subscription.
    const { default: webPush } = await import('web-push');
    try {
      return webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
        vapidDetails: { subject, ...keys },
        TTL: Math.ceil(ttlMs / 1000),
      });
    } catch {
      // The keys come from a browser, and are not those of a curve's point: nothing can be encrypted for them.
      return null;
    }
  }

  return {
    publicKey: keys.publicKey,
    isKnownService,
    async send(subscription, text, ttlMs) {
      const request = isKnownService(subscription.endpoint) ? await encrypt(subscription, text, ttlMs) : null;
      if (request === null) return 'ended';
      const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]);
      const response = await fetch(request.endpoint, {
        method: 'POST',
        headers,
        body: request.body === null ? null : new Uint8Array(request.body),
        // A redirect would lead to an address that nobody has checked.
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (response.ok) return 'sent';
      if (endedStatuses.includes(response.status)) return 'ended';
      throw new Error(`The push service ${new URL(request.endpoint).host} responded ${response.status}.`);
    },
  };
}
