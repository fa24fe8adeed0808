import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import * as z from 'zod/mini';
import type { Access, Endpoint } from '#contract/endpoint.ts';
import type { Role } from '#contract/scalars.ts';
import type { Limiter } from './limits.ts';
import { Refusal } from './refusal.ts';

/** Who makes a call, from the token alone. */
export interface Caller {
  userId: string;
  email: string;
  name: string;
  role: Role;
  /** Whether what the role permits waits for a sign-in with a second factor. */
  secondFactorDue: boolean;
  /** When the caller last showed who they are, in seconds since 1970; null when nobody vouches for that. */
  authenticatedAt: number | null;
}

/** An identity that the identity provider vouches for, before the shop knows a user by it. */
export interface IdentityProof {
  email: string;
  name: string;
  /** Whether more than one factor was shown at sign-in. */
  secondFactor: boolean;
  /** When the person last showed who they are, in seconds since 1970; null when the provider does not say. */
  authenticatedAt: number | null;
  /** Until when the provider vouches, in seconds since 1970. */
  expiresAt: number;
  /** The provider's name for this sign-in, by which it says that it has ended; null when it gives none. */
  sessionId: string | null;
}

/** How the guard learns who is calling; both throw a Refusal when the token is no good. */
export interface Authentication {
  /** @param token of this shop */
  caller(token: string): Promise<Caller>;
  /** @param token an ID token of the identity provider */
  identity(token: string): Promise<IdentityProof>;
}

/** What a route gets to know of its caller, by the `access` that its contract states. */
type CallerOf<A extends Access> = A extends 'public'
  ? Caller | null
  : A extends 'identity'
    ? IdentityProof
    : Caller;

/** What a handler is given: everything in it has passed the contract. */
export interface Call<E extends Endpoint> {
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
 * What a visitor without a token gets before anything is parsed, or null when there is nothing at hand. Only for
 * calls that anybody may make, which the guard would let through as they are.
 */
export type Early = (request: FastifyRequest, reply: FastifyReply) => Bytes | null;

/** Registers routes of the contract behind the guard. */
export type Serve = <E extends Endpoint>(
  endpoint: E,
  handler: (call: Call<E>) => Promise<Answer<E> | Bytes>,
  early?: E['access'] extends 'public' ? Early : never,
) => void;

/** The bearer token that a request carries, or null. */
export function bearer(request: FastifyRequest): string | null {
  const match = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '');
  return match?.[1] ?? null;
}

/** The first sentence per field, with dots between nested names; '' stands for the whole. */
export function errorsByField(issues: readonly z.core.$ZodIssue[]): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const issue of issues) {
    const field = issue.path.map(String).join('.');
    errors[field] ??= issue.message;
  }
  return errors;
}

function parseInput<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  what: 'query' | 'body',
): z.output<Schema> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const errors = errorsByField(parsed.error.issues);
  const sentence = Object.values(errors)[0] ?? 'It does not fit this call.';
  throw new Refusal(
    'invalid_input',
    what === 'query' ? `The address of this call is off: ${sentence}.` : `${sentence}.`,
    {
      errors,
    },
  );
}

function parseParams<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  // An id that no row can have names nothing here, like any other unknown one.
  throw new Refusal('not_found', 'There is nothing here by that name.');
}

const takesNothing = (schema: z.ZodMiniType) => schema._zod.def.type === 'undefined';

/** Demands what is asked of this caller's role before it counts. @throws Refusal `second_factor_required` */
export function demandSecondFactor(caller: Caller): void {
  if (!caller.secondFactorDue) return;
  throw new Refusal(
    'second_factor_required',
    'This needs a sign-in with a second factor. Please set one up on your account page, or sign in with it.',
  );
}

/** For so many minutes after signing in, or after the password once more, a caller counts as having just come. */
const FRESH_MINUTES = 10;

/** Demands that the caller has just shown who they are. @throws Refusal `reauthentication_required` */
function demandFresh({ authenticatedAt }: Caller): void {
  if (authenticatedAt !== null && Date.now() / 1000 - authenticatedAt < FRESH_MINUTES * 60) return;
  throw new Refusal(
    'reauthentication_required',
    'For this, please show once more that it is you: sign in again, and do it within ten minutes.',
  );
}

/** Who may make this call: the one place where `access` of the contract is enforced. */
function admit<A extends Access>(
  { access, fresh }: Pick<Endpoint<A>, 'access' | 'fresh'>,
  request: FastifyRequest,
  authentication: Authentication,
): Promise<CallerOf<A>>;
async function admit(
  { access, fresh }: Pick<Endpoint, 'access' | 'fresh'>,
  request: FastifyRequest,
  authentication: Authentication,
): Promise<Caller | IdentityProof | null> {
  const token = bearer(request);
  if (access === 'public') return token === null ? null : authentication.caller(token);
  if (token === null)
    throw new Refusal('not_signed_in', 'This needs you to be signed in. Please sign in and try again.');
  if (access === 'identity') return authentication.identity(token);
  const caller = await authentication.caller(token);
  if (access !== 'signed-in' && !access.includes(caller.role)) {
    throw new Refusal(
      'not_allowed',
      `This is for ${access.map((role) => `${role.toLowerCase()}s`).join(' and ')} only.`,
    );
  }
  if (access !== 'signed-in') demandSecondFactor(caller);
  if (fresh === true) demandFresh(caller);
  return caller;
}

/** What names the account behind a call. */
function accountOf(caller: Caller | IdentityProof | null): string | null {
  if (caller === null) return null;
  return 'userId' in caller ? caller.userId : caller.email;
}

const json = 'application/json; charset=utf-8';

/** Answers at once what is at hand for a visitor; everybody else goes on to the guard. */
function answerEarly(early: Early): onRequestHookHandler {
  return (request, reply, done) => {
    const bytes = request.headers.authorization === undefined ? early(request, reply) : null;
    if (bytes === null) done();
    else reply.type(json).send(bytes.json);
  };
}

/**
 * Makes the function that registers a call of the contract on a Fastify scope: the guard first, then the input's
 * parsing, then its limit, then the handler.
 */
export function createServe(app: FastifyInstance, authentication: Authentication, limiter: Limiter): Serve {
  return <E extends Endpoint>(
    endpoint: E,
    handler: (call: Call<E>) => Promise<Answer<E> | Bytes>,
    early?: Early,
  ) => {
    const nothingInPath = takesNothing(endpoint.params);
    const nothingInQuery = takesNothing(endpoint.query);
    const nothingInBody = takesNothing(endpoint.body);
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      ...(early && { onRequest: answerEarly(early) }),
      handler: async (request, reply) => {
        const caller = await admit<E['access']>(endpoint, request, authentication);
        const params = parseParams<E['params']>(endpoint.params, nothingInPath ? undefined : request.params);
        const query = parseInput<E['query']>(
          endpoint.query,
          nothingInQuery ? undefined : request.query,
          'query',
        );
        const body = parseInput<E['body']>(
          endpoint.body,
          nothingInBody ? undefined : (request.body ?? null),
          'body',
        );
        // Counted only once it is well-formed: mistakes in a form cost nobody an attempt.
        if (endpoint.limit !== undefined) {
          await limiter.take(endpoint.limit, { account: accountOf(caller), address: request.ip });
        }
        const answer = await handler({ caller, params, query, body, request, reply });
        reply.type(json);
        if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
        return answer instanceof Bytes ? answer.json : JSON.stringify(answer);
      },
    });
  };
}
