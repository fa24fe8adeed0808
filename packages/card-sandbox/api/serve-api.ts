import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallFault, Faults } from '../control/faults.ts';
import { newId } from '../identifiers.ts';
import { renderTopup } from '../resources/platform-movements.ts';
import { render } from '../resources/render.ts';
import { apiKinds } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { apiVersion } from '../webhooks/events.ts';
import { ApiError, invalidParameter } from './api-error.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { expandPaths } from './expand.ts';
import { hashRequest, IdempotencyKeys } from './idempotency.ts';
import { authenticateCaller, type Keys } from './keys.ts';
import { parseParameters } from './parameters.ts';

type ApiDependencies = {
  store: Store;
  endpoints: Endpoint[];
  keys: Keys;
  faults: Faults;
  /** Called after each request that has run. */
  afterCall(): void;
};

/** The body is text, because this plugin replaces the content type parsers. */
type ApiRoute = {
  Params: { id?: string };
  Headers: {
    'idempotency-key'?: string;
    'stripe-account'?: string;
    'stripe-context'?: string;
    'stripe-version'?: string;
  };
  Body: string | undefined;
};

type ApiResponse = {
  status: number;
  body: Record<string, unknown>;
  /** Whether the idempotency key stores it. */
  isStored: boolean;
  /** The id of the request whose stored response it is. */
  replayedFrom?: string;
};

/** Serves the endpoints as Stripe does: API keys, form encoding, idempotency keys, `expand` and error envelopes. */
export async function serveApi(app: FastifyInstance, dependencies: ApiDependencies): Promise<void> {
  const idempotency = new IdempotencyKeys(dependencies.store);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-cache, no-store' });
  });
  for (const endpoint of dependencies.endpoints) {
    app.route<ApiRoute>({
      method: endpoint.method,
      url: endpoint.path,
      handler: (request, reply) => serve(dependencies, idempotency, endpoint, request, reply),
    });
  }
}

async function serve(
  { store, keys, faults, afterCall }: ApiDependencies,
  idempotency: IdempotencyKeys,
  endpoint: Endpoint,
  request: FastifyRequest<ApiRoute>,
  reply: FastifyReply<ApiRoute>,
): Promise<FastifyReply<ApiRoute>> {
  const requestId = newId('req');
  const [path = '', queryString = ''] = request.url.split('?', 2);
  const { method, body = '' } = request;
  const fault = faults.take(method, path);
  reply.headers({ 'Request-Id': requestId, 'Stripe-Version': apiVersion });
  const hasLostConnection = (moment: CallFault['moment']) => applyFault(faults, fault, moment, reply);
  let caller: Call['caller'] = 'publishable';
  let claimedKey: string | null = null;
  try {
    if (await hasLostConnection('before')) return reply;
    requireVersion(request.headers['stripe-version']);
    const parameters = parseParameters(method, path, method === 'POST' ? body : queryString);
    caller = authenticateCaller(
      keys,
      request.headers.authorization,
      parameters,
      endpoint.allowsPublishableKey ?? false,
    );
    delete parameters.key;
    const idempotencyKey = (method === 'POST' && request.headers['idempotency-key']) || null;
    const account = request.headers['stripe-account'] ?? request.headers['stripe-context'] ?? null;
    requireAccess(store, endpoint, account);
    const call: Call = {
      caller,
      parameters,
      id: request.params.id ?? '',
      account,
      requestId,
      idempotencyKey,
    };
    const fingerprint = hashRequest(method, path, body);
    const earlier = idempotencyKey === null ? null : idempotency.claim(idempotencyKey, fingerprint);
    if (idempotencyKey !== null) reply.header('Idempotency-Key', idempotencyKey);
    if (earlier !== null) {
      if (await hasLostConnection('after')) return reply;
      return send(reply, { ...earlier, isStored: true, replayedFrom: earlier.request });
    }
    claimedKey = idempotencyKey;
    const response = store.run(() => {
      const executed = execute(store, endpoint, call);
      if (idempotencyKey !== null && executed.isStored) {
        const { status, body: responseBody } = executed;
        idempotency.save({ id: idempotencyKey, fingerprint, request: requestId, status, body: responseBody });
      }
      return executed;
    });
    afterCall();
    if (await hasLostConnection('during')) return reply;
    if (claimedKey !== null) idempotency.release(claimedKey);
    // A later request may claim it while this response is held.
    claimedKey = null;
    if (await hasLostConnection('after')) return reply;
    return send(reply, response);
  } catch (error) {
    if (error instanceof ApiError) return send(reply, toErrorResponse(store, caller, error));
    throw error;
  } finally {
    if (claimedKey !== null) idempotency.release(claimedKey);
  }
}

/** Runs an endpoint. Errors of the API are responses, so that they are stored with the request's effects. */
function execute(store: Store, endpoint: Endpoint, call: Call): ApiResponse {
  try {
    const result = endpoint.handle(store, call);
    const object = 'object' in result || 'data' in result ? result : render(store, result, call.caller);
    const paths = call.parameters.expand;
    const stringPaths = Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
    return {
      status: 200,
      body: expandPaths(object, stringPaths, (id) => findObject(store, id)),
      isStored: true,
    };
  } catch (error) {
    if (error instanceof ApiError) return toErrorResponse(store, call.caller, error);
    throw error;
  }
}

/** @throws {ApiError} for another version: Stripe would answer in its formats, which the stand-in does not have */
function requireVersion(version: string | undefined): void {
  if (version === undefined || version === apiVersion) return;
  throw invalidParameter('', `The stand-in has only version ${apiVersion} of the API, not ${version}.`);
}

/** @throws {ApiError} if a request is made for an account that is closed or unknown, or where none is allowed */
function requireAccess(store: Store, { allowsAccount, path }: Endpoint, account: string | null): void {
  if (account === null) return;
  if (allowsAccount !== true) {
    throw invalidParameter('', `The stand-in does not support ${path} for connected accounts.`);
  }
  const record = store.find('account', account);
  if (record !== undefined && !record.closed) return;
  throw new ApiError(
    403,
    'invalid_request_error',
    `The provided key does not have access to account '${account}' (or that account does not exist). ` +
      'Application access may have been revoked.',
    { code: 'account_invalid' },
  );
}

function findObject(store: Store, id: string): Record<string, unknown> | undefined {
  const record = apiKinds.map((kind) => store.find(kind, id)).find((found) => found !== undefined);
  if (record !== undefined) return render(store, record);
  const topup = store.all('movement').find(({ source, type }) => source === id && type === 'topup');
  return topup && { ...renderTopup(topup) };
}

function toErrorResponse(store: Store, caller: Call['caller'], refusal: ApiError): ApiResponse {
  const { code, declineCode, param, charge, paymentMethod, intent, isStored } = refusal.details;
  const method = paymentMethod === undefined ? undefined : store.find('paymentMethod', paymentMethod);
  const error = {
    ...(charge === undefined ? {} : { charge }),
    ...(code === undefined ? {} : { code }),
    ...(declineCode ? { decline_code: declineCode } : {}),
    message: refusal.message,
    ...(param === undefined ? {} : { param }),
    ...(intent === undefined ? {} : { payment_intent: render(store, intent, caller) }),
    ...(method === undefined ? {} : { payment_method: render(store, method) }),
    type: refusal.type,
  };
  return { status: refusal.status, body: { error }, isStored: isStored ?? false };
}

function send(reply: FastifyReply<ApiRoute>, response: ApiResponse): FastifyReply<ApiRoute> {
  if (response.replayedFrom !== undefined) {
    reply.headers({ 'Idempotent-Replayed': 'true', 'Original-Request': response.replayedFrom });
  }
  if (response.status === 409) reply.header('Stripe-Should-Retry', 'true');
  return reply.code(response.status).send(response.body);
}

/** Applies a planned fault at its moment. @returns whether the connection is closed, so that no response can be sent */
async function applyFault(
  faults: Faults,
  fault: CallFault | null,
  moment: CallFault['moment'],
  reply: FastifyReply<ApiRoute>,
): Promise<boolean> {
  if (fault === null || fault.moment !== moment) return false;
  if (fault.kind === 'error') {
    throw new ApiError(fault.status, 'api_error', 'Sorry! There was an error while talking to Stripe.');
  }
  if (fault.kind === 'hold') {
    const disconnected = new AbortController();
    reply.raw.once('close', () => disconnected.abort());
    if (await faults.hold(disconnected.signal)) return false;
  }
  reply.hijack();
  reply.raw.destroy();
  return true;
}
