import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import * as z from 'zod/mini';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Role } from '#contract/scalars.ts';
import { type Authentication, accountOf, admit, bearer, type CallerOf } from './guard.ts';
import { type CommittedResponse, type Idempotency, keyedRequest, type Transact } from './idempotency.ts';
import { parseInput, parseParams, valueFor } from './input.ts';
import { JsonStream } from './json-stream.ts';
import type { Limiter } from './limits.ts';

export { bearer, type Caller, requireSecondFactor, type VerifiedIdentity } from './guard.ts';

/** What a handler is given: everything in it has passed the contract. */
export interface Call<E extends Endpoint> {
  endpoint: E;
  caller: CallerOf<E['access']>;
  params: z.output<E['params']>;
  query: z.output<E['query']>;
  body: z.output<E['body']>;
  request: FastifyRequest;
  reply: FastifyReply;
}

type Answer<E extends Endpoint> = z.input<E['answer']>;

/** An answer that is already serialised, for calls whose bytes are kept: JSON text in UTF-8. */
export class Bytes {
  readonly json: Buffer;
  constructor(json: Buffer) {
    this.json = json;
  }
}

/**
 * What a visitor without a token is answered at once, or null when nothing is at hand. Only for public calls, which the
 * guard would let through as they are.
 * @throws Refusal
 */
export type EarlyResponder<E extends Endpoint> = (
  call: Pick<Call<E>, 'params' | 'query' | 'request' | 'reply'>,
) => Bytes | null;

type PlainEndpoint = Endpoint & { idempotencyKey: false };

/** Its keys are kept per account, so only accounts make such a call. */
type KeyedEndpoint = Endpoint & { access: 'signed-in' | readonly Role[]; idempotencyKey: true };

/** Registers routes of the contract behind the guard. */
export interface Serve {
  <E extends PlainEndpoint>(
    endpoint: E,
    handler: (call: Call<E>) => Promise<Answer<E> | Bytes | JsonStream<Answer<E>>>,
    early?: E['access'] extends 'public' ? EarlyResponder<E> : never,
  ): void;
  /**
   * The same for a call that takes an idempotency key. Its handler does everything that a retry must not do again
   * inside `transact`; it is not called when the answer of an earlier request is known.
   */
  once<E extends KeyedEndpoint>(
    endpoint: E,
    handler: (call: Call<E>, transact: Transact<Answer<E>>) => Promise<CommittedResponse>,
  ): void;
}

const json = 'application/json; charset=utf-8';

/** Answers a visitor at once if the input is good and an answer is at hand; every other call goes on to the guard. */
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

/**
 * Makes the function that registers a call of the contract on a Fastify scope: the guard first, then the input's
 * parsing, then its limit, then the handler.
 */
export function createServe(
  app: FastifyInstance,
  {
    authentication,
    limiter,
    idempotency,
  }: { authentication: Authentication; limiter: Limiter; idempotency: Idempotency },
): Serve {
  /** @param respond counts the call by `count` before it does anything, and answers its JSON text */
  function register<E extends Endpoint>(
    endpoint: E,
    respond: (call: Call<E>, count: () => Promise<void>) => Promise<string | Buffer | Readable>,
    early?: EarlyResponder<E>,
  ): void {
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      ...(early && { onRequest: respondEarly(endpoint, early) }),
      handler: async (request, reply) => {
        const caller = await admit<E['access']>(endpoint, request, authentication);
        // RFC 9110, 11.6.1: other credentials would be answered otherwise. A client can renew its token and ask again.
        if (caller === null && bearer(request) !== null) {
          reply.header('www-authenticate', 'Bearer error="invalid_token"');
        }
        const params = parseParams<E['params']>(endpoint.params, valueFor(endpoint.params, request.params));
        const query = parseInput<E['query']>(
          endpoint.query,
          valueFor(endpoint.query, request.query),
          'query',
        );
        const body = parseInput<E['body']>(
          endpoint.body,
          valueFor(endpoint.body, request.body ?? null),
          'body',
        );
        const { limit } = endpoint;
        // Counted only once it is well-formed: mistakes in a form cost nobody an attempt.
        const count = async () => {
          if (limit !== undefined) {
            await limiter.take(limit, { account: accountOf(caller), address: request.ip });
          }
        };
        const answer = await respond({ endpoint, caller, params, query, body, request, reply }, count);
        reply.type(json);
        if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
        return answer;
      },
    });
  }

  function serve<E extends PlainEndpoint>(
    endpoint: E,
    handler: (call: Call<E>) => Promise<Answer<E> | Bytes | JsonStream<Answer<E>>>,
    early?: EarlyResponder<E>,
  ): void {
    const respond = async (call: Call<E>, count: () => Promise<void>) => {
      await count();
      const answer = await handler(call);
      if (answer instanceof Bytes) return answer.json;
      return answer instanceof JsonStream ? answer.toReadable() : JSON.stringify(answer);
    };
    register(endpoint, respond, early);
  }

  function once<E extends KeyedEndpoint>(
    endpoint: E,
    handler: (call: Call<E>, transact: Transact<Answer<E>>) => Promise<CommittedResponse>,
  ): void {
    register<E>(endpoint, async (call, count) => {
      const { params, query, body, request, reply } = call;
      const { method, path } = endpoint;
      const content = { method, path, params, query, body };
      const keyed = keyedRequest(request.headers['idempotency-key'], accountOf(call.caller) ?? '', content);
      // Before the limit: a retry whose answer is known does nothing that is limited.
      const known = keyed && (await idempotency.find(keyed));
      if (known === null) await count();
      const { json: answer, replayed } = known ?? (await handler(call, (act) => idempotency.run(keyed, act)));
      if (replayed) reply.header('idempotent-replayed', 'true');
      return answer;
    });
  }

  return Object.assign(serve, { once });
}
