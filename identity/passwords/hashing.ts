import { AsyncLocalStorage } from 'node:async_hooks';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import type { FastifyInstance } from 'fastify';
import { ipPrefixes } from '#contract/platform/ip-prefixes.ts';
import { Refusal } from '../refusals.ts';

/**
 * Number of hashes computed at once. scrypt occupies one of libuv's four threads (`UV_THREADPOOL_SIZE`) and 32 MB for
 * about 100 ms; file reads, DNS and token verification need the other threads.
 */
const CONCURRENCY = 2;

/** Maximum number of waiting hashes: about a second of work; on a machine ten times as slow, less than the web client's timeout. */
const QUEUE_LENGTH = 24;

/** Maximum number of those for one client, so that a single client cannot fill the queue. */
const QUEUE_LENGTH_PER_CLIENT = 8;

/** In seconds. A full queue empties in about that time. */
const RETRY_AFTER = 5;

/** The request that a hash is computed for. */
interface RequestContext {
  readonly client: string;
  readonly computed?: { readonly password: string; readonly hash: string };
}

interface QueuedHash {
  readonly client: string;
  start(): void;
}

/** Computes and verifies password hashes, a few at a time. */
export type PasswordHashing = ReturnType<typeof createPasswordHashing>;

export function createPasswordHashing() {
  const context = new AsyncLocalStorage<RequestContext>();
  const queue: QueuedHash[] = [];
  let running = 0;

  /** Resolves when a slot is free. */
  async function acquire(): Promise<void> {
    if (running < CONCURRENCY) {
      running += 1;
      return;
    }
    const client = context.getStore()?.client ?? '';
    const ofClient = queue.filter((queued) => queued.client === client).length;
    if (queue.length >= QUEUE_LENGTH || ofClient >= QUEUE_LENGTH_PER_CLIENT) {
      throw new Refusal('overloaded', undefined, null, { retryAfter: RETRY_AFTER });
    }
    await new Promise<void>((resolve) => queue.push({ client, start: resolve }));
  }

  /** Passes the slot to the hash that has waited longest. */
  function release(): void {
    const next = queue.shift();
    if (next === undefined) running -= 1;
    else next.start();
  }

  async function withSlot<Result>(work: () => Promise<Result>): Promise<Result> {
    await acquire();
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** @throws Refusal `overloaded` when too many hashes wait */
  async function hash(password: string): Promise<string> {
    const computed = context.getStore()?.computed;
    if (computed?.password === password) return computed.hash;
    return withSlot(() => hashPassword(password));
  }

  return {
    hash,
    /**
     * Hashes a password and then runs `work`, in which {@link hash} returns that hash at once. better-auth hashes a new
     * account's password inside a transaction, which would occupy a connection while the hash waits in the queue.
     * @throws Refusal `overloaded` when too many hashes wait
     */
    async withPrecomputedHash<Result>(password: string, work: () => Promise<Result>): Promise<Result> {
      const computed = { password, hash: await hash(password) };
      return context.run({ client: '', ...context.getStore(), computed }, work);
    },
    /** Checks a password against a hash. @throws Refusal `overloaded` when too many hashes wait */
    verify: (given: { hash: string; password: string }): Promise<boolean> =>
      withSlot(() => verifyPassword(given)),
    /** Adds a hook that attributes the hashes of each request to its client. */
    trackClients(scope: FastifyInstance): void {
      // Not earlier than preHandler: Fastify reads the body in another async context.
      scope.addHook('preHandler', (request, _reply, done) => {
        const shortestPrefix = ipPrefixes(request.ip).at(-1)?.prefix ?? request.ip;
        context.run({ client: shortestPrefix }, done);
      });
    },
  };
}
