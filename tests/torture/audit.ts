import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';
import Stripe from 'stripe';
import { unfinishedJobs } from '#tests/harness/job-queue.ts';
import { findMoneyViolations } from '#tests/harness/money-invariants.ts';
import { readProcessorLedger } from '#tests/harness/processor-ledger.ts';
import type { Acknowledged } from './load.ts';
import type { TortureShop } from './shop.ts';

/** A shop that has not recovered, or has lost data. */
export class AuditFailed extends Error {
  override readonly name = 'AuditFailed';
}

/** The state of a recovered shop. */
export interface Rest {
  /** Milliseconds until no violation and no job was left. */
  took: number;
  intents: number;
  sales: number;
  refunds: number;
}

/** Checks a shop from outside: its tables, the card processor's ledger and its photos. */
export interface Audit {
  /**
   * Waits until the money invariants hold and no job is left.
   * @throws AuditFailed with what is still wrong after `patience` milliseconds
   */
  waitUntilConsistent(patience: number): Promise<Rest>;
  /** @throws AuditFailed when anything that was ever confirmed is not there */
  requireConfirmedData(acknowledged: Acknowledged): Promise<void>;
  pool: Pool;
  close(): Promise<void>;
}

export function openAudit({ databaseUrl, cards }: TortureShop): Audit {
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
  const seen = new Set<string>();

  async function missing(table: string, ids: string[]): Promise<string[]> {
    const { rows } = await pool.query(
      `select wanted from unnest($1::uuid[]) wanted where not exists (select from ${table} where id = wanted)`,
      [ids],
    );
    return rows.map(({ wanted }) => `${table} ${wanted}`);
  }

  return {
    pool,
    waitUntilConsistent: async (patience) => {
      const started = Date.now();
      for (;;) {
        const books = await readProcessorLedger(stripe);
        const wrong = [...(await findMoneyViolations(pool, books, null)), ...(await unfinishedJobs(pool))];
        if (wrong.length === 0) {
          const taken = books.intents.filter(({ receivedCents }) => receivedCents > 0);
          const refunds = taken.filter(({ refundedCents }) => refundedCents > 0).length;
          return {
            took: Date.now() - started,
            intents: books.intents.length,
            sales: taken.length - refunds,
            refunds,
          };
        }
        if (Date.now() - started > patience) {
          throw new AuditFailed(`After ${patience / 1000} s still wrong:\n${wrong.slice(0, 20).join('\n')}`);
        }
        await pause(500);
      }
    },
    requireConfirmedData: async ({ photos, laptops, bookings, payments, charges }) => {
      const lost = [
        ...(await missing('laptops', laptops)),
        ...(await missing('bookings', bookings)),
        ...(await missing('payments', payments)),
      ];
      for (const transaction of charges) {
        const found = await pool.query(
          `select from payments where transaction_id = $1 union all select from refunds where transaction_id = $1`,
          [transaction],
        );
        if (found.rowCount !== 1) lost.push(`the charge ${transaction}`);
      }
      for (const url of photos) {
        if (seen.has(url)) continue;
        for (const variant of [url, url.replace(/webp$/, 'avif')]) {
          const response = await fetch(variant);
          const bytes = await response.arrayBuffer();
          if (!response.ok || bytes.byteLength === 0) lost.push(`the photo ${variant} (${response.status})`);
        }
        seen.add(url);
      }
      if (lost.length > 0)
        throw new AuditFailed(`What was confirmed is missing: ${lost.slice(0, 20).join(', ')}`);
    },
    close: () => pool.end(),
  };
}
