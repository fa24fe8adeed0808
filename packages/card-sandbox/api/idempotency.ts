import { createHash } from 'node:crypto';
import { nowInSeconds } from '../identifiers.ts';
import type { KeptAnswer } from '../storage/records.ts';
import type { Ledger } from '../storage/store.ts';
import { Refusal } from './api-error.ts';

/** Stripe forgets a key after a day. */
const keptSeconds = 24 * 60 * 60;

/** What makes two calls the same: where they go and what they say. */
export function fingerprintOf(method: string, path: string, body: string): string {
  return createHash('sha256').update(`${method} ${path}\n${body}`).digest('base64url');
}

/** Remembers the answers given under each Idempotency-Key. */
export class IdempotencyKeys {
  readonly #ledger: Ledger;
  readonly #inFlight = new Set<string>();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  /**
   * Claims a key until `release`.
   * @returns the earlier answer when there is one; then nothing is claimed
   * @throws {Refusal} when another call holds the key now, or used it for something else
   */
  claim(key: string, fingerprint: string): KeptAnswer | null {
    if (key.length > 255) {
      throw new Refusal(400, 'idempotency_error', 'Idempotency keys may be at most 255 characters long.');
    }
    if (this.#inFlight.has(key)) {
      throw new Refusal(
        409,
        'idempotency_error',
        'There is currently another in-progress request using this Idempotent Key (that probably means you ' +
          `submitted twice, and the other request is still going through): ${key}. Please try again later.`,
        { code: 'idempotency_key_in_use' },
      );
    }
    const kept = this.#ledger.find('keptAnswer', key);
    if (kept === undefined || kept.created + keptSeconds < nowInSeconds()) {
      this.#inFlight.add(key);
      return null;
    }
    if (kept.fingerprint === fingerprint) return kept;
    throw new Refusal(
      400,
      'idempotency_error',
      'Keys for idempotent requests can only be used with the same parameters they were first used with. ' +
        `Try using a key other than '${key}' if you meant to execute a different request.`,
    );
  }

  release(key: string): void {
    this.#inFlight.delete(key);
  }

  /** Keeps an answer, in the same entry as its effects. Only inside the ledger's `run`. */
  keep(answer: Omit<KeptAnswer, 'kind' | 'created'>): void {
    this.#ledger.put({ kind: 'keptAnswer', created: nowInSeconds(), ...answer });
  }
}
