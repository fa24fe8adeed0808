import { setTimeout as pause } from 'node:timers/promises';
import type { Audit } from './audit.ts';
import type { Load } from './load.ts';
import type { KillableProcess, TortureShop } from './shop.ts';

export interface KillFigures {
  kills: Map<string, number>;
  audits: number;
  /** The longest recovery, in milliseconds. */
  longestRecoveryMs: number;
}

/** Number of kills between two audits. */
const KILLS_PER_AUDIT = 5;
/** Milliseconds within which the shop must recover. */
export const RECOVERY_TIMEOUT_MS = 60_000;

/** What says that PostgreSQL is restarting. */
const transientCodes: readonly unknown[] = ['57P01', '57P03', 'ECONNREFUSED', 'ECONNRESET'];
const isTransient = (error: unknown) =>
  error instanceof Error && 'code' in error && transientCodes.includes(error.code);

/** Expires all payment windows and queues, so that several buyers pay for the same laptop. */
async function expirePaymentWindows({ pool }: Audit): Promise<void> {
  try {
    // One message is one transaction. It locks the buyers first, as the shop does: otherwise the two would deadlock.
    await pool.query(
      `select from users where id in (select buyer_id from payment_windows union select buyer_id from payment_queue)
        order by id for no key update;
       update payment_windows set started_at = now() - interval '10 minutes', expires_at = now() - interval '1 second';
       delete from payment_queue`,
    );
  } catch (error) {
    // The payment windows expire the next time.
    if (!isTransient(error)) throw error;
  }
}

/**
 * Kills one or two processes at random moments under load and restarts them.
 * @param least.kills the number of times
 * @param least.minutes goes on until so much time has passed
 */
export async function killAtRandom(
  { shop, load, audit, log }: { shop: TortureShop; load: Load; audit: Audit; log: (line: string) => void },
  least: { kills: number; minutes: number },
): Promise<KillFigures> {
  const started = Date.now();
  const isLast = (kill: number) => kill >= least.kills && Date.now() - started >= least.minutes * 60_000;
  const processes: KillableProcess[] = [shop.server, shop.server, shop.postgres, shop.cardProcessor];
  const figures: KillFigures = { kills: new Map(), audits: 0, longestRecoveryMs: 0 };
  if (least.kills > 0) load.start();
  for (let kill = 1, ended = least.kills === 0; !ended; kill += 1) {
    await pause(300 + Math.random() * 2_000);
    await expirePaymentWindows(audit);
    await pause(Math.random() * 500);
    const first = processes[Math.floor(Math.random() * processes.length)] ?? shop.server;
    const second = Math.random() < 0.15 ? processes.find((candidate) => candidate !== first) : undefined;
    const targets = second === undefined ? [first] : [first, second];
    await Promise.all(targets.map((candidate) => candidate.kill()));
    for (const { name } of targets) figures.kills.set(name, (figures.kills.get(name) ?? 0) + 1);
    // Restarts at once, or after a random pause.
    await pause(Math.random() < 0.5 ? 0 : Math.random() * 2_000);
    await Promise.all(targets.map((candidate) => candidate.start()));
    ended = isLast(kill);
    if (kill % KILLS_PER_AUDIT === 0 || ended) {
      await load.stop();
      const report = await audit.waitUntilConsistent(RECOVERY_TIMEOUT_MS);
      await audit.requireConfirmedData(load.acknowledged);
      figures.audits += 1;
      figures.longestRecoveryMs = Math.max(figures.longestRecoveryMs, report.recoveryMs);
      log(
        `${kill} kills: consistent after ${(report.recoveryMs / 1000).toFixed(1)} s; ` +
          `${report.sales} sold, ${report.refunds} refunded, ${load.acknowledged.photos.length} photos acknowledged.`,
      );
      if (!ended) load.start();
    }
  }
  return figures;
}
