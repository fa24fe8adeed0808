import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallFault, Faults } from '../control/faults.ts';
import { newId } from '../identifiers.ts';
import { renderFoundCharge } from '../resources/charges.ts';
import { renderIntentFor } from '../resources/intents.ts';
import { documentation, renderPaymentMethod, renderRefund } from '../resources/render.ts';
import { renderDispute } from '../resources/render-dispute.ts';
import type { Ledger } from '../storage/store.ts';
import { apiVersion } from '../webhooks/events.ts';
import { badParameter, Refusal } from './api-error.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { expandPaths } from './expand.ts';
import { type FormObject, parseForm } from './form-encoding.ts';
import { fingerprintOf, IdempotencyKeys } from './idempotency.ts';
import { callerOf, type Keys } from './keys.ts';

type Parts = { ledger: Ledger; endpoints: Endpoint[]; keys: Keys; faults: Faults; afterCall(): void };

type Answer = { status: number; body: Record<string, unknown>; kept: boolean; replayedFrom?: string };

/** Serves Stripe's API: keys, forms, idempotency, errors in Stripe's envelope. */
export async function serveApi(app: FastifyInstance, parts: Parts): Promise<void> {
  const idempotency = new IdempotencyKeys(parts.ledger);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'Request-Id',
      'Cache-Control': 'no-cache, no-store',
    });
  });
  app.options('/*', async (_request, reply) =>
    reply
      .code(204)
      .headers({
        'Access-Control-Allow-Methods': 'GET, POST',
        'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, Stripe-Version',
        'Access-Control-Max-Age': '300',
      })
      .send(),
  );
  for (const endpoint of parts.endpoints) {
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      handler: (request, reply) => serve(parts, idempotency, endpoint, request, reply),
    });
  }
}

async function serve(
  parts: Parts,
  idempotency: IdempotencyKeys,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const requestId = newId('req');
  const [path = ''] = request.url.split('?');
  const fault = parts.faults.take(request.method, path);
  reply.headers({ 'Request-Id': requestId, 'Stripe-Version': apiVersion });
  let caller: Call['caller'] = 'publishable';
  let claimed: string | null = null;
  try {
    if ((await strike(parts.faults, fault, 'before', reply)) === 'lost') return reply;
    const parameters = readForm(request);
    caller = callerOf(parts.keys, request.headers.authorization, parameters, endpoint.fromBrowser);
    delete parameters.key;
    const idempotencyKey = request.method === 'POST' ? headerOf(request, 'idempotency-key') : null;
    const call: Call = { caller, parameters, id: idIn(request.params), requestId, idempotencyKey };
    const fingerprint = fingerprintOf(request.method, path, bodyOf(request));
    const earlier = idempotencyKey === null ? null : idempotency.claim(idempotencyKey, fingerprint);
    if (idempotencyKey !== null) reply.header('Idempotency-Key', idempotencyKey);
    if (earlier !== null) {
      if ((await strike(parts.faults, fault, 'after', reply)) === 'lost') return reply;
      return send(reply, { ...earlier, kept: true, replayedFrom: earlier.request });
    }
    claimed = idempotencyKey;
    const answer = await parts.ledger.run(() => {
      const given = attempt(parts.ledger, endpoint, call);
      if (idempotencyKey !== null && given.kept) {
        idempotency.keep({ id: idempotencyKey, fingerprint, request: requestId, ...pick(given) });
      }
      return given;
    });
    parts.afterCall();
    if ((await strike(parts.faults, fault, 'during', reply)) === 'lost') return reply;
    if (claimed !== null) idempotency.release(claimed);
    if ((await strike(parts.faults, fault, 'after', reply)) === 'lost') return reply;
    return send(reply, answer);
  } catch (error) {
    if (error instanceof Refusal) return send(reply, refused(parts.ledger, caller, error));
    throw error;
  } finally {
    if (claimed !== null) idempotency.release(claimed);
  }
}

const pick = ({ status, body }: Answer) => ({ status, body });

function attempt(ledger: Ledger, endpoint: Endpoint, call: Call): Answer {
  try {
    const object = endpoint.handle(call);
    const paths = call.parameters.expand;
    const texts = Array.isArray(paths) ? paths.filter((one) => typeof one === 'string') : [];
    return { status: 200, body: expandPaths(object, texts, (id) => objectBehind(ledger, id)), kept: true };
  } catch (error) {
    if (error instanceof Refusal) return refused(ledger, call.caller, error);
    throw error;
  }
}

function objectBehind(ledger: Ledger, id: string): Record<string, unknown> | undefined {
  const intent = ledger.find('intent', id);
  if (intent !== undefined) return renderIntentFor(ledger, 'secret', intent);
  const method = ledger.find('paymentMethod', id);
  if (method !== undefined) return { ...renderPaymentMethod(method) };
  const refund = ledger.find('refund', id);
  if (refund !== undefined) return { ...renderRefund(refund) };
  const dispute = ledger.find('dispute', id);
  if (dispute !== undefined) return { ...renderDispute(dispute) };
  return ledger.find('charge', id) === undefined ? undefined : { ...renderFoundCharge(ledger, id, 'expand') };
}

function refused(ledger: Ledger, caller: Call['caller'], refusal: Refusal): Answer {
  const { code, declineCode, param, charge, paymentMethod, intent, kept } = refusal.details;
  const method = paymentMethod === undefined ? undefined : ledger.find('paymentMethod', paymentMethod);
  const error = {
    ...(charge === undefined ? {} : { charge }),
    ...(code === undefined ? {} : { code, doc_url: documentation(code) }),
    ...(declineCode ? { decline_code: declineCode } : {}),
    message: refusal.message,
    ...(param === undefined ? {} : { param }),
    ...(intent === undefined ? {} : { payment_intent: renderIntentFor(ledger, caller, intent) }),
    ...(method === undefined ? {} : { payment_method: renderPaymentMethod(method) }),
    type: refusal.type,
  };
  return { status: refusal.status, body: { error }, kept: kept ?? false };
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  if (answer.replayedFrom !== undefined) {
    reply.headers({ 'Idempotent-Replayed': 'true', 'Original-Request': answer.replayedFrom });
  }
  if (answer.status === 409) reply.header('Stripe-Should-Retry', 'true');
  return reply.code(answer.status).send(answer.body);
}

/** Lets a planned disturbance happen; `lost` when nothing can be answered any more. */
async function strike(
  faults: Faults,
  fault: CallFault | null,
  moment: CallFault['moment'],
  reply: FastifyReply,
): Promise<'goes on' | 'lost'> {
  if (fault === null || fault.moment !== moment) return 'goes on';
  if (fault.kind === 'error') {
    throw new Refusal(fault.status, 'api_error', 'Sorry! There was an error while talking to Stripe.');
  }
  if (fault.kind === 'hold') {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    if (await faults.hold(gone.signal)) return 'goes on';
  }
  reply.hijack();
  reply.raw.destroy();
  return 'lost';
}

function readForm(request: FastifyRequest): FormObject {
  const [, query = ''] = request.url.split('?', 2);
  try {
    return parseForm(request.method === 'GET' ? query : bodyOf(request));
  } catch (error) {
    if (error instanceof RangeError) throw badParameter('', error.message);
    throw error;
  }
}

function bodyOf(request: FastifyRequest): string {
  return typeof request.body === 'string' ? request.body : '';
}

function headerOf(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function idIn(params: unknown): string {
  if (typeof params !== 'object' || params === null || !('id' in params)) return '';
  return typeof params.id === 'string' ? params.id : '';
}
