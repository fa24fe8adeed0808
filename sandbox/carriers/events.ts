import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { newId } from './shipments.ts';

const RETRY_DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 16_000];

/** Sends events as EasyPost does. */
export function createEvents({ webhookUrl, webhookSecret }: { webhookUrl: string; webhookSecret: string }) {
  const stopping = new AbortController();

  async function post(body: string): Promise<number> {
    const digest = createHmac('sha256', webhookSecret.normalize('NFKD')).update(body).digest('hex');
    try {
      const response = await fetch(webhookUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-hmac-signature': `hmac-sha256-hex=${digest}` },
        body,
        signal: AbortSignal.any([AbortSignal.timeout(7_000), stopping.signal]),
      });
      await response.body?.cancel();
      return response.status;
    } catch {
      return 0;
    }
  }

  const isTaken = (status: number) => status >= 200 && status < 300;

  async function repeat(body: string): Promise<void> {
    for (const delay of RETRY_DELAYS_MS) {
      await pause(delay, undefined, { signal: stopping.signal, ref: false });
      if (isTaken(await post(body))) return;
    }
  }

  return {
    /** Sends an event; one that is not taken is repeated later. @returns the status of the first answer, 0 for none */
    async send(description: string, result: object): Promise<number> {
      const event = {
        id: newId('evt'),
        object: 'Event',
        mode: 'test',
        description,
        created_at: new Date().toISOString(),
        previous_attributes: {},
        result,
        status: 'pending',
      };
      const body = JSON.stringify(event);
      const status = await post(body);
      if (!isTaken(status)) repeat(body).catch(() => undefined);
      return status;
    },
    stop: () => stopping.abort(),
  };
}
