import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { Mailbox } from './mailbox.ts';

/** The path of the hook at the inbox. */
export const SMS_HOOK_PATH = '/sms';

/** How far the time of a request may be from the present, in seconds. */
const TOLERANCE_S = 300;

/** How many ids of earlier messages are known. */
const KNOWN_IDS = 500;

const Sms = z.object({
  to: z.string().check(z.regex(/^\+[1-9][0-9]{6,14}$/)),
  text: z.string().check(z.minLength(1), z.maxLength(1_600)),
});

const Headers = z.object({
  'webhook-id': z.string(),
  'webhook-timestamp': z.string().check(z.regex(/^\d{1,12}$/)),
  'webhook-signature': z.string(),
});

/** Whether one of the signatures is that of Standard Webhooks. */
function isSigned(headers: z.infer<typeof Headers>, body: string, key: Uint8Array): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const right = Buffer.from(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  return headers['webhook-signature'].split(' ').some((signature) => {
    const given = Buffer.from(signature);
    return given.length === right.length && timingSafeEqual(given, right);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Serves a hook that takes text messages as the shop sends them, and shows each in the inbox once. */
export function serveSmsHook(app: FastifyInstance, mailbox: Mailbox, key: Uint8Array): void {
  const known = new Set<string>();
  // The signature is of the bytes.
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: 16_384 },
    (_request, body, done) => done(null, body),
  );
  app.post(SMS_HOOK_PATH, async (request, reply) => {
    const headers = z.safeParse(Headers, request.headers);
    const body = typeof request.body === 'string' ? request.body : '';
    if (!headers.success || !isSigned(headers.data, body, key)) {
      return reply.code(401).send({ error: 'The signature is missing or wrong.' });
    }
    const age = Date.now() / 1000 - Number(headers.data['webhook-timestamp']);
    if (Math.abs(age) > TOLERANCE_S) return reply.code(401).send({ error: 'The request is too old.' });
    const sms = z.safeParse(Sms, parseJson(body));
    if (!sms.success) return reply.code(422).send({ error: z.prettifyError(sms.error) });
    const id = headers.data['webhook-id'];
    if (known.has(id)) return reply.code(204).send();
    known.add(id);
    for (const oldest of known) if (known.size > KNOWN_IDS) known.delete(oldest);
    mailbox.addSms(sms.data);
    return reply.code(204).send();
  });
}
