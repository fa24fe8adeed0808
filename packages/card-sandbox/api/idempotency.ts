import { createHash } from 'node:crypto';
import { nowInSeconds } from '../identifiers.ts';
import type { CachedResponse } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { ApiError } from './api-error.ts';

/** Stripe removes a key after 24 hours. */
const RETENTION_SECONDS = 24 * 60 * 60;

/** Hashes what two requests under one key must have in common: method, path and body. */
export function hashRequest(method: string, path: string, body: string): string {
  return createHash('sha256').update(`${method} ${path}\n${body}`).digest('base64url');
}

const keyError = (status: number, message: string, code?: string) =>
  new ApiError(status, 'idempotency_error', message, { code });

/** Stores the response to each request that has an Idempotency-Key. */
export class IdempotencyKeys {
  readonly #store: Store;
  readonly #inFlight = new Set<string>();

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Claims a key until `release`.
   * @returns the stored response if there is one; then nothing is claimed
   * @throws {ApiError} if a running request holds the key, or if it was used with other parameters
   */
  claim(key: string, fingerprint: string): CachedResponse | null {
    if (key.length > 255) throw keyError(400, 'Idempotency keys may be at most 255 characters long.');
    if (this.#inFlight.has(key)) {
      throw keyError(
        409,
        'There is currently another in-progress request using this Idempotent Key (that probably means you ' +
          `submitted twice, and the other request is still going through): ${key}. Please try again later.`,
        'idempotency_key_in_use',
      );
    }
    const stored = this.#store.find('keptAnswer', key);
    if (stored === undefined || stored.created + RETENTION_SECONDS < nowInSeconds()) {
      this.#inFlight.add(key);
      return null;
    }
    if (stored.fingerprint === fingerprint) return stored;
    throw keyError(
      400,
      'Keys for idempotent requests can only be used with the same parameters they were first used with. ' +
        `Try using a key other than '${key}' if you meant to execute a different request.`,
    );
  }

  release(key: string): void {
    this.#inFlight.delete(key);
  }

  /** Stores a response together with its effects. Call it only inside the store's `run`. */
  save(response: Omit<CachedResponse, 'kind' | 'created'>): void {
    this.#store.put({ kind: 'keptAnswer', created: nowInSeconds(), ...response });
  }
}
