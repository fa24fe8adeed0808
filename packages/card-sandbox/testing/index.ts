import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { type CardSandboxOptions, startCardSandbox } from '../index.ts';
import type { Terms } from '../storage/store.ts';

export const keys = {
  secretKey: 'sk_test_stand_in_secret',
  publishableKey: 'pk_test_stand_in_public',
  webhookSecret: 'whsec_stand_in',
};

export type Received = { event: Stripe.Event; raw: string };

/** A webhook endpoint that checks each signature with Stripe's library and records the events. */
export class WebhookEndpoint {
  /** The events of version 1. */
  readonly received: Received[] = [];
  /** The events of version 2. */
  readonly notifications: { event: Stripe.V2.Core.EventNotification; raw: string }[] = [];
  readonly #types: string[] = [];
  readonly #server: Server;
  #statuses: number[] = [];
  #waiting: (() => void)[] = [];

  constructor() {
    this.#server = createServer(async (request, response) => {
      const raw = await text(request);
      const stripe = clientFor('http://127.0.0.1:1', keys.secretKey);
      const signed = [raw, String(request.headers['stripe-signature']), keys.webhookSecret] as const;
      if (raw.includes('"object":"v2.core.event"')) {
        this.notifications.push({ event: stripe.parseEventNotification(...signed), raw });
      } else {
        this.received.push({ event: stripe.webhooks.constructEvent(...signed), raw });
      }
      this.#types.push(z.object({ type: z.string() }).parse(JSON.parse(raw)).type);
      response.writeHead(this.#statuses.shift() ?? 200).end();
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  /** Responds to the next deliveries with these HTTP statuses, then with 200. */
  respondWith(...statuses: number[]): void {
    this.#statuses = statuses;
  }

  /** Starts the endpoint until the end of the test. @returns its URL */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The endpoint has no port.');
    onTestFinished(() => {
      this.#server.closeAllConnections();
      this.#server.close();
    });
    return `http://127.0.0.1:${address.port}/webhooks`;
  }

  types(): string[] {
    return [...this.#types];
  }

  /** Resolves once it has received this many deliveries in total. */
  async waitFor(count: number): Promise<void> {
    while (this.#types.length < count) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}

export function clientFor(origin: string, key: string): Stripe {
  const { hostname, port } = new URL(origin);
  return new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'card-sandbox-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts a sandbox until the end of the test, with one client for each key. The platform's payouts are manual by default. */
export async function startTestSandbox(
  options: Partial<Pick<CardSandboxOptions, 'dataFolder' | 'webhookUrl' | keyof Terms>> = {},
) {
  const dataFolder = options.dataFolder ?? (await temporaryFolder());
  const sandbox = await startCardSandbox({ payouts: 'manual', ...keys, ...options, port: 0, dataFolder });
  let closed = false;
  const close = async () => {
    if (!closed) await sandbox.close();
    closed = true;
  };
  onTestFinished(close);
  const control = async (
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<unknown> => {
    const headers = new Headers({ Authorization: `Bearer ${keys.secretKey}` });
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    const url = `${sandbox.origin}/sandbox/${path}`;
    const response = await fetch(url, { method, headers, body: body ? JSON.stringify(body) : null });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  return {
    origin: sandbox.origin,
    dataFolder,
    close,
    control,
    stripe: clientFor(sandbox.origin, keys.secretKey),
    browser: clientFor(sandbox.origin, keys.publishableKey),
  };
}

export type TestSandbox = Awaited<ReturnType<typeof startTestSandbox>>;

/** Confirms an intent as the card field does: with a card number and the publishable key. */
export function payByCard(
  sandbox: TestSandbox,
  intent: Stripe.PaymentIntent,
  number: string,
): Promise<Stripe.PaymentIntent> {
  return postAsBrowser(sandbox, `/v1/payment_intents/${intent.id}/confirm`, {
    client_secret: intent.client_secret ?? '',
    payment_method_data: {
      type: 'card',
      card: {
        number,
        exp_month: 12,
        exp_year: new Date().getFullYear() + 2,
        cvc: number.startsWith('3') ? '1234' : '123',
      },
      billing_details: { name: 'Ada Buyer', address: { postal_code: '94107' } },
    },
  });
}

/** Completes or fails 3-D Secure as the dialog does. */
export function authenticate(
  sandbox: TestSandbox,
  intent: Stripe.PaymentIntent,
  outcome: 'complete' | 'fail',
): Promise<Stripe.PaymentIntent> {
  return postAsBrowser(sandbox, `/authentication/${intent.id}`, {
    client_secret: intent.client_secret ?? '',
    outcome,
  });
}

async function postAsBrowser(
  sandbox: TestSandbox,
  path: string,
  parameters: Record<string, unknown>,
): Promise<Stripe.PaymentIntent> {
  const response = await sandbox.browser.rawRequest('POST', path, parameters);
  const id = 'id' in response ? String(response.id) : '';
  return sandbox.stripe.paymentIntents.retrieve(id);
}
