import { AsyncLocalStorage } from 'node:async_hooks';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import type { FastifyInstance } from 'fastify';
import { ipPrefixes } from '#contract/addresses.ts';
import { Refusal } from '../refusals.ts';

/**
 * How many hashes are computed at once. scrypt occupies one of libuv's four threads (`UV_THREADPOOL_SIZE`) for some
 * 100 ms and 32 MB; file reads, DNS and the verification of tokens need the others.
 */
const CONCURRENCY = 2;

/** How many hashes may wait: about a second, and on a machine ten times as slow less than the web client waits. */
const QUEUE_LENGTH = 24;

/** How many of those may wait for one client, so that one alone cannot fill the queue. */
const QUEUE_LENGTH_PER_CLIENT = 8;

/** In seconds: about how long a full queue takes to empty. */
const RETRY_AFTER = 5;

/** What is known of the request on whose behalf something is hashed. */
interface RequestContext {
  readonly client: string;
  readonly computed?: { readonly password: string; readonly hash: string };
}

interface Waiting {
  readonly client: string;
  start(): void;
}

/** Computes and verifies password hashes, a few at a time. */
export interface PasswordHashing {
  /** @throws Refusal `overloaded` when too many hashes wait */
  hash(password: string): Promise<string>;
  /** Whether a password has this hash. @throws Refusal `overloaded` when too many hashes wait */
  verify(given: { hash: string; password: string }): Promise<boolean>;
  /**
   * Does `work` with the hash of a password computed before: {@link hash} then answers at once. better-auth hashes a
   * new account's password inside a transaction, which would hold a connection while the hash waits.
   * @throws Refusal `overloaded` when too many hashes wait
   */
  withHashOf<Result>(password: string, work: () => Promise<Result>): Promise<Result>;
  /** Counts what the scope's handlers hash by the client of their request. */
  identifyClients(scope: FastifyInstance): void;
}

export function createPasswordHashing(): PasswordHashing {
  const context = new AsyncLocalStorage<RequestContext>();
  const queue: Waiting[] = [];
  let running = 0;

  /** Resolves when a hash may be computed. */
  async function acquire(): Promise<void> {
    if (running < CONCURRENCY) {
      running += 1;
      return;
    }
    const client = context.getStore()?.client ?? '';
    const ofClient = queue.filter((waiting) => waiting.client === client).length;
    if (queue.length >= QUEUE_LENGTH || ofClient >= QUEUE_LENGTH_PER_CLIENT) {
      throw new Refusal('overloaded', undefined, null, { retryAfter: RETRY_AFTER });
    }
    await new Promise<void>((resolve) => queue.push({ client, start: resolve }));
  }

  /** Hands the place to the hash that has waited longest. */
  function release(): void {
    const next = queue.shift();
    if (next === undefined) running -= 1;
    else next.start();
  }

  async function withPlace<Result>(work: () => Promise<Result>): Promise<Result> {
    await acquire();
    try {
      return await work();
    } finally {
      release();
    }
  }

  async function hash(password: string): Promise<string> {
    const computed = context.getStore()?.computed;
    if (computed?.password === password) return computed.hash;
    return withPlace(() => hashPassword(password));
  }

  return {
    hash,
    async withHashOf(password, work) {
      const computed = { password, hash: await hash(password) };
      return context.run({ client: '', ...context.getStore(), computed }, work);
    },
    verify: (given) => withPlace(() => verifyPassword(given)),
    identifyClients(scope) {
      // Not earlier than preHandler: reading the body runs in a context of its own.
      scope.addHook('preHandler', (request, _reply, done) => {
        const largestRange = ipPrefixes(request.ip).at(-1)?.prefix ?? request.ip;
        context.run({ client: largestRange }, done);
      });
    },
  };
}
