import { createHmac } from 'node:crypto';
import type { SmsSender } from '#server/people/phone-checks/sms-sender.ts';

/** How long the hook may take to respond, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** The errors of a request that has not reached the hook. */
const unreachableCodes: readonly unknown[] = [
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
];

/** Status codes after which the message may have been sent: errors of a proxy or inside the hook. */
const mayHaveSent = (status: number) => status >= 500 && status !== 503;

function codeOf(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? cause.code : undefined;
}

function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = codeOf(error);
  return typeof code === 'string' ? code : error.message;
}

/**
 * Creates a sender that posts each message to a hook of the operator, which sends it through a provider of text messages. The body
 * is JSON (`to`, `text`), signed as in Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA256 of id, time and body.
 * @param options.key at least 24 bytes, which the hook has as well
 */
export function createSmsSender({ url, key }: { url: string; key: Uint8Array }): SmsSender {
  return {
    async send({ id, ...message }) {
      const body = JSON.stringify(message);
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'webhook-id': id,
            'webhook-timestamp': timestamp,
            'webhook-signature': `v1,${signature}`,
          },
          body,
          // The message goes to the configured address and to no other.
          redirect: 'manual',
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        await response.body?.cancel();
        if (response.ok) return { kind: 'sent' };
        const reason = `The SMS hook responded ${response.status}.`;
        return { kind: mayHaveSent(response.status) ? 'uncertain' : 'not_sent', reason };
      } catch (error) {
        const reason = `The SMS hook did not respond: ${toReason(error)}`;
        return { kind: unreachableCodes.includes(codeOf(error)) ? 'not_sent' : 'uncertain', reason };
      }
    },
  };
}
