import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { listBrands } from '#contract/listings/catalogue.ts';
import { createClient, Problem } from '#contract/platform/client.ts';
import { RESERVED_BYTES } from '#server/platform/disk-space.ts';
import { type Audit, AuditError } from './audit.ts';
import { type Caller, register, uploadPicture } from './callers.ts';
import { RECOVERY_TIMEOUT_MS } from './kills.ts';
import type { Load, ReturnableSale } from './load.ts';
import type { TortureShop } from './shop.ts';

/** The shop, its load and its audit, which every fault test uses. */
export interface FaultContext {
  shop: TortureShop;
  load: Load;
  audit: Audit;
  log(line: string): void;
}

/** Counts the responses during some work. */
async function countResponsesDuring(load: Load, work: () => Promise<void>): Promise<Map<string, number>> {
  const before = new Map(load.answers);
  await work();
  const during = new Map<string, number>();
  for (const [answer, count] of load.answers) {
    const more = count - (before.get(answer) ?? 0);
    if (more > 0) during.set(answer, more);
  }
  return during;
}

/** @throws AuditError with the message unless the condition holds */
export function assert(condition: boolean, message: string): void {
  if (!condition) throw new AuditError(message);
}

/** Stops the load and requires that the shop recovers and has all confirmed data. */
export async function waitForRecovery(
  { load, audit, log }: FaultContext,
  fault: string,
  timeoutMs: number,
): Promise<void> {
  await load.stop();
  const report = await audit.waitUntilConsistent(timeoutMs);
  await audit.requireConfirmedData(load.acknowledged);
  log(
    `${fault}: consistent after ${(report.recoveryMs / 1000).toFixed(1)} s; ${report.sales} sold, ${report.refunds} refunded, ` +
      `${report.transfers} transferred, ${report.reversed} of them reversed so far.`,
  );
}

const formatCounts = (answers: Map<string, number>) =>
  [...answers].map(([answer, count]) => `${count} × ${answer}`).join(', ');

/** Stops the database for half a minute; every response must be database_unavailable. */
export async function testDatabaseOutage(context: FaultContext): Promise<void> {
  const { shop, load, log } = context;
  load.start();
  await pause(3_000);
  const restartDatabase = await shop.stopDatabase();
  await pause(2_000);
  const answers = await countResponsesDuring(load, () => pause(28_000));
  assert(
    [...answers.keys()].every((answer) => answer.endsWith(': database_unavailable')),
    `Without its database the shop returned ${formatCounts(answers)}.`,
  );
  assert(answers.size > 0, 'Without its database the shop returned no response.');
  log(`Database unavailable for 30 s: ${formatCounts(answers)}.`);
  await restartDatabase();
  const client = createClient({ base: `${shop.origin}/api`, fetch, token: () => null });
  const restarted = Date.now();
  while (!(await client.call(listBrands, {}).then(Boolean, () => false))) {
    assert(
      Date.now() - restarted < 15_000,
      'The shop did not reconnect within 15 s of the restart of its database.',
    );
    await pause(50);
  }
  await pause(3_000);
  await waitForRecovery(context, 'Database back', RECOVERY_TIMEOUT_MS);
}

async function setCardFaults({ shop }: FaultContext, calls: object[]): Promise<void> {
  const authorization = `Bearer ${shop.cards.secretKey}`;
  const url = `${shop.cards.apiUrl}/sandbox/faults`;
  const headers = { authorization, 'content-type': 'application/json' };
  const answer =
    calls.length === 0
      ? // Removing the faults also releases held calls.
        await fetch(url, { method: 'DELETE', headers: { authorization } })
      : await fetch(url, { method: 'POST', headers, body: JSON.stringify({ calls }) });
  assert(answer.ok, `The stand-in refused the fault plan: ${answer.status}.`);
}

/** Makes the card processor fail or hang; everything else must continue. */
export async function testCardProcessorOutage(
  context: FaultContext,
  kind: 'error' | 'hold',
  seconds: number,
): Promise<void> {
  const { load, log } = context;
  load.start();
  await pause(2_000);
  await setCardFaults(context, [{ kind, times: 1_000_000 }]);
  const answers = await countResponsesDuring(load, () => pause(seconds * 1000));
  const fault = kind === 'error' ? 'Card processor returns 500' : 'Card processor hangs';
  assert(
    (answers.get('prepare: card_processor_unavailable') ?? 0) > 0,
    `${fault}: ${formatCounts(answers)}.`,
  );
  assert((answers.get('prepare: network') ?? 0) === 0, `${fault}: a call to the shop got no response.`);
  assert((answers.get('book: ok') ?? 0) > 0, `${fault}: no laptop could be booked.`);
  assert((answers.get('browse: ok') ?? 0) > 0, `${fault}: the catalogue could not be read.`);
  log(`${fault} for ${seconds} s: ${formatCounts(answers)}.`);
  await setCardFaults(context, []);
  await pause(3_000);
  await waitForRecovery(context, 'Card processor back', RECOVERY_TIMEOUT_MS);
}

/** @returns whether the card processor holds a call within the time */
async function holdsCall({ shop }: FaultContext, timeoutMs: number): Promise<boolean> {
  const held = await fetch(`${shop.cards.apiUrl}/sandbox/held?atLeast=1`, {
    headers: { authorization: `Bearer ${shop.cards.secretKey}` },
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(() => null);
  return held?.ok === true;
}

/** Waits while the load sells, until a seller is paid. @throws AuditError when that takes longer than three minutes */
async function waitForTransfer(context: FaultContext): Promise<void> {
  context.load.start();
  assert(await holdsCall(context, 180_000), 'No seller was paid within 180 s.');
}

/**
 * Returns laptops whose sellers were paid, one after the other, until money is taken back from a seller's account. The
 * load rests: its sales would pay the debt first.
 * @throws AuditError when ten returns are not enough
 */
async function waitForReversal(context: FaultContext): Promise<void> {
  const { load, audit } = context;
  for (let returned = 0; returned < 10; returned += 1) {
    const { rows } = await audit.pool.query<ReturnableSale>(
      `select orders.id as "orderId", buyers.email as "buyerEmail"
         from orders join transfers on order_id = orders.id
                     join users as buyers on buyers.id = buyer_id
                     join users as sellers on sellers.id = orders.seller_id
        where orders.state = 'released' and transfers.state = 'made' and reversed_cents = 0 and sellers.email = $1
        limit 1`,
      [load.solventSeller],
    );
    const [sale] = rows;
    if (sale === undefined) break;
    await load.returnSale(sale);
    // Longer than the pause between two rounds of payouts.
    if (await holdsCall(context, 20_000)) return;
  }
  throw new AuditError('Nothing was taken back from a seller whose sales were returned.');
}

/** Kills the server after the card processor has moved a seller's money, and before the shop has recorded it. */
export async function testKillsAroundPayouts(context: FaultContext): Promise<void> {
  const { shop, audit } = context;
  for (const { name, path, table, waitForCall } of [
    { name: 'transfer', path: '/v1/transfers', table: 'transfers', waitForCall: waitForTransfer },
    {
      name: 'reversal',
      path: '/v1/transfers/*/reversals',
      table: 'transfer_reversals',
      waitForCall: waitForReversal,
    },
  ]) {
    await setCardFaults(context, [{ method: 'POST', path, kind: 'hold', moment: 'after' }]);
    await waitForCall(context);
    await shop.server.kill();
    await setCardFaults(context, []);
    const { rows } = await audit.pool.query(`select id from ${table} where state = 'pending'`);
    assert(rows.length > 0, `The shop has recorded the ${name} before the card processor's response.`);
    await shop.server.start();
    await waitForRecovery(context, `Killed between ${name} and record`, RECOVERY_TIMEOUT_MS);
    const { rows: left } = await audit.pool.query(`select state from ${table} where id = any($1)`, [
      rows.map(({ id }) => id),
    ]);
    assert(
      left.every(({ state }) => state === 'made'),
      `A ${name} that was made is not recorded as made.`,
    );
  }
}

/** Collects the transactions named in emails while they arrive: the mail catcher keeps only the latest emails. */
function collectEmailedTransactions({ mail }: TortureShop): { stop(): Promise<Set<string>> } {
  const found = new Set<string>();
  let stopped = false;
  const read = async () => {
    const answer = await fetch(new URL('/messages.json', mail.inboxUrl));
    for (const [transaction] of (await answer.text()).matchAll(/pi_\w+/g)) found.add(transaction);
  };
  const reading = (async () => {
    while (!stopped) {
      await read();
      await pause(200);
    }
    await read();
  })();
  return {
    stop: async () => {
      stopped = true;
      await reading;
      return found;
    },
  };
}

/** Stops the mail server; sales must continue and their emails must arrive later. */
export async function testMailServerOutage(context: FaultContext): Promise<void> {
  const { shop, load, audit, log } = context;
  await shop.mailServer.kill();
  const before = new Set(load.acknowledged.payments);
  load.start();
  await pause(20_000);
  await load.stop();
  const payments = load.acknowledged.payments.filter((id) => !before.has(id));
  assert(payments.length > 0, 'Nothing was sold while the mail server was down.');
  await shop.mailServer.start();
  const emailedTransactions = collectEmailedTransactions(shop);
  // Retries back off: after a minute the next one can be another minute away.
  await waitForRecovery(context, 'Mail server back', 3 * RECOVERY_TIMEOUT_MS);
  const emailed = await emailedTransactions.stop();
  const { rows } = await audit.pool.query('select transaction_id from orders where id = any($1)', [payments]);
  const withoutEmail = rows.filter(({ transaction_id }) => !emailed.has(transaction_id));
  assert(withoutEmail.length === 0, `${withoutEmail.length} sales have no email.`);
  log(`Mail server down for 20 s: ${payments.length} sales meanwhile, all emailed afterwards.`);
}

const command = promisify(execFile);

/** Uploads photos until one is refused. @throws AuditError when none is */
async function uploadUntilRefused(
  seller: Caller,
  origin: string,
): Promise<{ kept: string[]; refusal: Problem }> {
  const kept: string[] = [];
  while (kept.length < 500) {
    try {
      kept.push(await uploadPicture(seller, origin));
    } catch (error) {
      if (error instanceof Problem) return { kept, refusal: error };
      throw error;
    }
  }
  throw new AuditError('The small disk did not fill up.');
}

/** Mounts a small disk. @returns whether that was allowed: only root may */
async function mountSmallDisk(folder: string, megabytes: number): Promise<boolean> {
  try {
    await command('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', folder]);
    return true;
  } catch {
    return false;
  }
}

/** The disk space that a folder's files take, in megabytes. */
async function usedMegabytes(folder: string): Promise<number> {
  const { stdout } = await command('du', ['-sm', folder]);
  return Number(stdout.split('\t')[0]);
}

/**
 * Moves the shop to a disk with room for a few more photos and fills it; everything else must continue, and uploads must work
 * again once there is space.
 */
export async function testFullPhotoDisk(context: FaultContext): Promise<string> {
  const { shop, load, log } = context;
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-small-disk-'));
  const original = shop.dataFolder();
  const megabytes = (await usedMegabytes(original)) + RESERVED_BYTES / 1024 ** 2 + 1;
  if (!(await mountSmallDisk(folder, megabytes))) {
    await rm(folder, { recursive: true });
    log(
      'Disk full: skipped, because only root may mount a small disk; server/listings/photos/disk-full.test.ts simulates it.',
    );
    return 'skipped';
  }
  try {
    await shop.moveData(join(folder, 'data'));
    const seller = await register(shop, 'Seller');
    const { kept, refusal } = await uploadUntilRefused(seller, shop.origin);
    assert(
      refusal.status === 503 && refusal.code === 'busy',
      `With a full disk the upload was refused with ${refusal.code}: ${refusal.message}`,
    );
    const earlier = load.acknowledged.photos.slice(-20);
    for (const url of [...earlier, ...kept]) {
      const photo = await fetch(url);
      assert(
        photo.ok && (await photo.arrayBuffer()).byteLength > 0,
        `${url} was acknowledged and is missing.`,
      );
    }
    load.start();
    const answers = await countResponsesDuring(load, () => pause(10_000));
    await load.stop();
    const client = createClient({ base: `${shop.origin}/api`, fetch, token: () => null });
    await client.call(listBrands, {});
    await command('mount', ['-o', `remount,size=${megabytes + 64}m`, folder]);
    load.acknowledged.photos.push(...kept, await uploadPicture(seller, shop.origin));
    log(
      `Disk full after ${kept.length} photos: refused with a message; all are served; uploads succeed once there is space. ` +
        `Meanwhile: ${formatCounts(answers)}.`,
    );
    load.start();
    await pause(3_000);
    await waitForRecovery(context, 'Disk with space', RECOVERY_TIMEOUT_MS);
    return `after ${kept.length} photos`;
  } finally {
    await shop.moveData(original);
    await command('umount', [folder]);
    await rm(folder, { recursive: true });
  }
}
