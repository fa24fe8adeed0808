import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import * as z from 'zod/mini';
import type { Endpoint } from '#contract/platform/endpoint.ts';
import type { Role } from '#contract/platform/scalars.ts';
import { type Authentication, accountOf, authorize, bearer, type CallerOf } from './guard.ts';
import { type CommittedResponse, type Idempotency, keyedRequest, type Transact } from './idempotency.ts';
import { parseInput, parseParams, valueFor } from './input.ts';
import { JsonStream } from './json-stream.ts';
import type { LimitRead } from './limit-reads.ts';
import type { Limiter } from './limits.ts';

export {
  type Caller,
  requireRightIfAdmin,
  requireSecondFactor,
  requireUninvolved,
  type VerifiedIdentity,
} from './guard.ts';

/** The input of a handler, parsed by the contract's schemas. */
export interface Call<E extends Endpoint> {
  endpoint: E;
  caller: CallerOf<E['access']>;
  params: z.output<E['params']>;
  query: z.output<E['query']>;
  body: z.output<E['body']>;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** The response of a write. @param changed how many rows, or whether one */
export const modified = (changed: number | boolean) => ({
  acknowledged: true,
  modifiedCount: Number(changed),
});

type ResponseOf<E extends Endpoint> = z.input<E['response']>;

/** Removes from an answer what its contract does not have. @throws ZodError for one that does not follow it */
export const toContract = <E extends Endpoint>({ response: schema }: E, answer: ResponseOf<E>) =>
  z.parse<E['response']>(schema, answer);

type Exchange = Pick<Call<Endpoint>, 'request' | 'reply'>;

/** The caller and the input of an admitted request. */
type Admitted<E extends Endpoint> = Pick<Call<E>, 'caller' | 'params' | 'query' | 'body'>;

/** Counts a call of the caller for the endpoint's rate limit, if it has one. @throws Refusal when the quota is used up */
type Count<E extends Endpoint> = (caller: CallerOf<E['access']>) => Promise<void>;

/** A response that is already serialized: JSON, as text or in UTF-8. */
export class SerializedJson {
  readonly json: string | Buffer;
  constructor(json: string | Buffer) {
    this.json = json;
  }
}

/**
 * Returns a response for a visitor without a token before the guard runs, or null to continue. Only for public calls.
 * @throws Refusal
 */
export type EarlyResponder<E extends Endpoint> = (
  call: Pick<Call<E>, 'params' | 'query' | 'request' | 'reply'>,
) => SerializedJson | null;

type PlainEndpoint = Endpoint & { idempotencyKey: false };

/** Idempotency keys are stored per account, so the call needs one. */
type KeyedEndpoint = Endpoint & { access: 'signed-in' | readonly Role[]; idempotencyKey: true };

/** Registers calls of the contract as routes behind the guard. */
export interface Serve {
  <E extends PlainEndpoint>(
    endpoint: E,
    handler: (call: Call<E>) => Promise<ResponseOf<E> | SerializedJson | JsonStream<ResponseOf<E>>>,
    early?: E['access'] extends 'public' ? EarlyResponder<E> : never,
  ): void;
  /**
   * Registers a call that takes an idempotency key. The handler does inside `transact` what a retry must not repeat. It is
   * not called when the response of an earlier request is stored.
   */
  idempotent<E extends KeyedEndpoint>(
    endpoint: E,
    handler: (call: Call<E>, transact: Transact<ResponseOf<E>>) => Promise<CommittedResponse>,
  ): void;
}

const json = 'application/json; charset=utf-8';

/** Sends the early response if the input is valid and there is one; otherwise continues to the guard. */
function respondEarly<E extends Endpoint>(endpoint: E, early: EarlyResponder<E>): onRequestHookHandler {
  return (request, reply, done) => {
    if (request.headers.authorization !== undefined) return done();
    const params = z.safeParse<E['params']>(endpoint.params, valueFor(endpoint.params, request.params));
    const query = z.safeParse<E['query']>(endpoint.query, valueFor(endpoint.query, request.query));
    if (!params.success || !query.success) return done();
    try {
      const bytes = early({ params: params.data, query: query.data, request, reply });
      if (bytes === null) done();
      else reply.type(json).send(bytes.json);
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  };
}

/** Parses the input of a call. @throws Refusal */
const parseCall = <E extends Endpoint>(endpoint: E, request: FastifyRequest) => ({
  params: parseParams<E['params']>(endpoint.params, valueFor(endpoint.params, request.params)),
  query: parseInput<E['query']>(endpoint.query, valueFor(endpoint.query, request.query), 'query'),
  body: parseInput<E['body']>(endpoint.body, valueFor(endpoint.body, request.body ?? null), 'body'),
});

/** Sets the headers of a response in JSON. */
function setJsonHeaders(reply: FastifyReply): void {
  reply.type(json);
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
}

/** Creates the function that registers calls on a Fastify scope. A read waits for its turn; then guard, parsing, limit and handler follow. */
export function createServe(
  app: FastifyInstance,
  {
    authentication,
    limiter,
    limitRead,
    idempotency,
  }: { authentication: Authentication; limiter: Limiter; limitRead: LimitRead; idempotency: Idempotency },
): Serve {
  /** Checks the token, then the input. @throws Refusal */
  async function admit<E extends Endpoint>(
    endpoint: E,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Admitted<E>> {
    const caller = await authorize<E['access']>(endpoint, request, authentication);
    // RFC 9110, 11.6.1: with valid credentials the response would differ, so the client can renew its token.
    if (caller === null && bearer(request) !== null) {
      reply.header('www-authenticate', 'Bearer error="invalid_token"');
    }
    return { caller, ...parseCall(endpoint, request) };
  }

  /** @param handle admits the request, calls `count` before any effect, and returns JSON */
  function register<E extends Endpoint>(
    endpoint: E,
    handle: (exchange: Exchange, count: Count<E>) => Promise<string | Buffer | Readable>,
    early?: EarlyResponder<E>,
  ): void {
    const { limit } = endpoint;
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      ...(early && { onRequest: respondEarly(endpoint, early) }),
      handler: async (request, reply) => {
        // Counted after parsing, so that a mistake in a form does not use up the quota.
        const count: Count<E> = async (caller) => {
          if (limit === undefined) return;
          await limiter.take(limit, { account: accountOf(caller), address: request.ip });
        };
        const answerCall = () => handle({ request, reply }, count);
        // Writes have limits of their own.
        const answer = await (endpoint.method === 'GET' ? limitRead(request, answerCall) : answerCall());
        setJsonHeaders(reply);
        return answer;
      },
    });
  }

  function serve<E extends PlainEndpoint>(
    endpoint: E,
    handler: (call: Call<E>) => Promise<ResponseOf<E> | SerializedJson | JsonStream<ResponseOf<E>>>,
    early?: EarlyResponder<E>,
  ): void {
    const handle = async ({ request, reply }: Exchange, count: Count<E>) => {
      const admitted = await admit(endpoint, request, reply);
      await count(admitted.caller);
      const answer = await handler({ endpoint, ...admitted, request, reply });
      if (answer instanceof SerializedJson) return answer.json;
      return answer instanceof JsonStream
        ? answer.toReadable()
        : JSON.stringify(toContract(endpoint, answer));
    };
    register(endpoint, handle, early);
  }

  function idempotent<E extends KeyedEndpoint>(
    endpoint: E,
    handler: (call: Call<E>, transact: Transact<ResponseOf<E>>) => Promise<CommittedResponse>,
  ): void {
    register<E>(endpoint, async ({ request, reply }, count) => {
      const admitted = await admit(endpoint, request, reply);
      const { caller, params, query, body } = admitted;
      const { method, path } = endpoint;
      const content = { method, path, params, query, body };
      const keyed = keyedRequest(request.headers['idempotency-key'], accountOf(caller) ?? '', content);
      // Before the limit: a replayed response has no effect to limit.
      const known = keyed && (await idempotency.find(keyed));
      if (known === null) await count(caller);
      const call = { endpoint, ...admitted, request, reply };
      const { json: answer, replayed } =
        known ??
        (await handler(call, (operation) =>
          idempotency.run(keyed, async (transaction) => toContract(endpoint, await operation(transaction))),
        ));
      if (replayed) reply.header('idempotent-replayed', 'true');
      return answer;
    });
  }

  return Object.assign(serve, { idempotent });
}
