import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';
import Stripe from 'stripe';
import { findMoneyViolations } from '#tests/harness/money/money-invariants.ts';
import { type ProcessorLedger, readProcessorLedger } from '#tests/harness/money/processor-ledger.ts';
import { listUnfinishedJobs } from '#tests/harness/platform/job-queue.ts';
import type { Acknowledged } from './load.ts';
import type { LoadedShop } from './shop.ts';

/** A shop that has not recovered, or has lost data. */
export class AuditError extends Error {
  override readonly name = 'AuditError';
}

/** The state of a recovered shop. */
export interface RecoveryReport {
  /** Milliseconds until no violation and no unfinished job was left. */
  recoveryMs: number;
  intents: number;
  sales: number;
  refunds: number;
  /** Transfers to sellers, and how many of them came back. */
  transfers: number;
  reversed: number;
}

/** Checks a shop from outside: its tables, the card processor's ledger and its photos. */
export interface Audit {
  /**
   * Waits until the money invariants hold and no job is left.
   * @throws AuditError that lists the violations left after `timeoutMs` milliseconds
   */
  waitUntilConsistent(timeoutMs: number): Promise<RecoveryReport>;
  /** @throws AuditError when a confirmed row, charge or photo is missing */
  requireConfirmedData(acknowledged: Acknowledged): Promise<void>;
  pool: Pool;
  /** Stripe's library with the shop's key, for the card processor. */
  stripe: Stripe;
  close(): Promise<void>;
}

/** Ends the two minutes after which the shop looks for an interrupted transfer or reversal at the card processor. */
async function resumeTransfers(pool: Pool): Promise<void> {
  for (const table of ['transfers', 'transfer_reversals']) {
    await pool.query(
      `update ${table} set next_attempt_at = now() where state = 'pending' and next_attempt_at > now()`,
    );
  }
}

export function openAudit({ databaseUrl, cards }: LoadedShop): Audit {
  const pool = new Pool({ connectionString: databaseUrl, max: 2 });
  pool.on('error', () => {
    // PostgreSQL is killed repeatedly; the next query opens a new connection.
  });
  const { hostname, port } = new URL(cards.apiUrl);
  const stripe = new Stripe(cards.secretKey, {
    protocol: 'http',
    host: hostname,
    port,
    maxNetworkRetries: 2,
  });
  const verifiedPhotos = new Set<string>();

  async function findMissing(table: string, ids: string[]): Promise<string[]> {
    const { rows } = await pool.query(
      `select wanted from unnest($1::uuid[]) wanted where not exists (select from ${table} where id = wanted)`,
      [ids],
    );
    return rows.map(({ wanted }) => `${table} ${wanted}`);
  }

  /** Reads the card processor's ledger and what contradicts it. An unavailable service is a violation. */
  async function readState(): Promise<{ ledger: ProcessorLedger; violations: string[] }> {
    try {
      await resumeTransfers(pool);
      const ledger = await readProcessorLedger(stripe);
      const violations = await findMoneyViolations(pool, ledger, null);
      return { ledger, violations: [...violations, ...(await listUnfinishedJobs(pool))] };
    } catch (error) {
      const ledger = { intents: [], transfers: [], newest: undefined };
      return { ledger, violations: [`The shop cannot be read: ${String(error)}`] };
    }
  }

  return {
    pool,
    stripe,
    waitUntilConsistent: async (timeoutMs) => {
      const started = Date.now();
      for (;;) {
        const { ledger, violations } = await readState();
        if (violations.length === 0) {
          const captured = ledger.intents.filter(({ receivedCents }) => receivedCents > 0);
          const refunds = captured.filter(({ refundedCents }) => refundedCents > 0).length;
          return {
            recoveryMs: Date.now() - started,
            intents: ledger.intents.length,
            sales: captured.length - refunds,
            refunds,
            transfers: ledger.transfers.length,
            reversed: ledger.transfers.filter(({ reversedCents }) => reversedCents > 0).length,
          };
        }
        if (Date.now() - started > timeoutMs) {
          throw new AuditError(
            `After ${timeoutMs / 1000} s not consistent:\n${violations.slice(0, 20).join('\n')}`,
          );
        }
        await pause(500);
      }
    },
    requireConfirmedData: async ({ photos, laptops, bookings, payments, charges }) => {
      const missing = [
        ...(await findMissing('laptops', laptops)),
        ...(await findMissing('bookings', bookings)),
        ...(await findMissing('orders', payments)),
      ];
      for (const transaction of charges) {
        const found = await pool.query(
          `select transaction_id from orders where transaction_id = $1
           union select transaction_id from refunds where transaction_id = $1`,
          [transaction],
        );
        if (found.rowCount !== 1) missing.push(`the charge ${transaction}`);
      }
      for (const url of photos) {
        if (verifiedPhotos.has(url)) continue;
        for (const variant of [url, url.replace(/webp$/, 'avif')]) {
          const response = await fetch(variant);
          const bytes = await response.arrayBuffer();
          if (!response.ok || bytes.byteLength === 0)
            missing.push(`the photo ${variant} (${response.status})`);
        }
        verifiedPhotos.add(url);
      }
      if (missing.length > 0)
        throw new AuditError(`Confirmed data is missing: ${missing.slice(0, 20).join(', ')}`);
    },
    close: () => pool.end(),
  };
}
