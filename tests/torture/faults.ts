import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { listBrands } from '#contract/catalogue.ts';
import { createClient, Problem } from '#contract/client.ts';
import { type Audit, AuditFailed } from './audit.ts';
import { type Caller, register, uploadPicture } from './callers.ts';
import { reconciliation } from './kills.ts';
import type { Load } from './load.ts';
import type { TortureShop } from './shop.ts';

/** The shop, its load and its audit, which every fault needs. */
export interface Torture {
  shop: TortureShop;
  load: Load;
  audit: Audit;
  log(line: string): void;
}

/** Counts the responses during some work. */
async function answersDuring(load: Load, work: () => Promise<void>): Promise<Map<string, number>> {
  const before = new Map(load.answers);
  await work();
  const during = new Map<string, number>();
  for (const [answer, count] of load.answers) {
    const more = count - (before.get(answer) ?? 0);
    if (more > 0) during.set(answer, more);
  }
  return during;
}

function require(condition: boolean, sentence: string): void {
  if (!condition) throw new AuditFailed(sentence);
}

/** Stops the load and requires that the shop recovers and has all confirmed data. */
async function waitForRecovery({ load, audit, log }: Torture, what: string, patience: number): Promise<void> {
  await load.stop();
  const { took, sales, refunds } = await audit.waitUntilConsistent(patience);
  await audit.requireConfirmedData(load.acknowledged);
  log(`${what}: all right after ${(took / 1000).toFixed(1)} s; ${sales} sold, ${refunds} given back so far.`);
}

const told = (answers: Map<string, number>) =>
  [...answers].map(([answer, count]) => `${count} × ${answer}`).join(', ');

/** Stops the database for half a minute. */
export async function databaseStops(torture: Torture): Promise<void> {
  const { shop, load, log } = torture;
  load.start();
  await pause(3_000);
  const giveBack = await shop.stopDatabase();
  await pause(2_000);
  const answers = await answersDuring(load, () => pause(28_000));
  require([...answers.keys()].every((answer) =>
    answer.endsWith(': database_unavailable'),
  ), `Without its database the shop answered ${told(answers)}.`);
  require(answers.size > 0, 'Without its database the shop answered nothing.');
  log(`Database gone for 30 s: ${told(answers)}.`);
  await giveBack();
  const client = createClient({ base: `${shop.origin}/api`, fetch, token: () => null });
  const back = Date.now();
  while (!(await client.call(listBrands, {}).then(Boolean, () => false))) {
    require(Date.now() - back < 15_000, 'The database is back for 15 s and the shop has not noticed.');
    await pause(50);
  }
  await pause(3_000);
  await waitForRecovery(torture, 'Database back', reconciliation);
}

async function setCardFaults({ shop }: Torture, calls: object[]): Promise<void> {
  const authorization = `Bearer ${shop.cards.secretKey}`;
  const url = `${shop.cards.apiUrl}/sandbox/faults`;
  const headers = { authorization, 'content-type': 'application/json' };
  const answer =
    calls.length === 0
      ? // Removing the faults also releases held calls.
        await fetch(url, { method: 'DELETE', headers: { authorization } })
      : await fetch(url, { method: 'POST', headers, body: JSON.stringify({ calls }) });
  require(answer.ok, `The stand-in refused its faults: ${answer.status}.`);
}

/** Makes the card processor fail or hang; everything else must continue. */
export async function cardProcessorFails(
  torture: Torture,
  kind: 'error' | 'hold',
  seconds: number,
): Promise<void> {
  const { load, log } = torture;
  load.start();
  await pause(2_000);
  await setCardFaults(torture, [{ kind, times: 1_000_000 }]);
  const answers = await answersDuring(load, () => pause(seconds * 1000));
  const what = kind === 'error' ? 'Card processor answering 500' : 'Card processor not answering';
  require((answers.get('prepare: card_processor_unavailable') ?? 0) > 0, `${what}: ${told(answers)}.`);
  require((answers.get('prepare: network') ?? 0) === 0, `${what}: the shop gave no answer either.`);
  require((answers.get('book: ok') ?? 0) > 0, `${what}: nothing could be booked any more.`);
  require((answers.get('browse: ok') ?? 0) > 0, `${what}: nothing could be looked at any more.`);
  log(`${what} for ${seconds} s: ${told(answers)}.`);
  await setCardFaults(torture, []);
  await pause(3_000);
  await waitForRecovery(torture, 'Card processor back', reconciliation);
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
export async function mailServerStops(torture: Torture): Promise<void> {
  const { shop, load, audit, log } = torture;
  await shop.mailServer.kill();
  const before = new Set(load.acknowledged.payments);
  load.start();
  await pause(20_000);
  await load.stop();
  const payments = load.acknowledged.payments.filter((id) => !before.has(id));
  require(payments.length > 0, 'Nothing was sold while the mail server was down.');
  await shop.mailServer.start();
  const letters = collectEmailedTransactions(shop);
  // Retries back off: after a minute the next one can be another minute away.
  await waitForRecovery(torture, 'Mail server back', 3 * reconciliation);
  const told = await letters.stop();
  const { rows } = await audit.pool.query('select transaction_id from payments where id = any($1)', [
    payments,
  ]);
  const unwritten = rows.filter(({ transaction_id }) => !told.has(transaction_id));
  require(unwritten.length === 0, `${unwritten.length} sales were never told by mail.`);
  log(`Mail server down for 20 s: ${payments.length} sold meanwhile, all told by mail afterwards.`);
}

const command = promisify(execFile);

/** Uploads photos until one is refused. @throws AuditFailed when none is */
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
  throw new AuditFailed('The small disk never got full.');
}

/** Fills the photo disk; everything else must continue, and uploads must work again once there is space. */
export async function diskFills(torture: Torture): Promise<string> {
  const { shop, log } = torture;
  const folder = await mkdtemp(join(tmpdir(), 'coomercio-small-disk-'));
  try {
    await command('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', folder]);
  } catch {
    await rm(folder, { recursive: true });
    log(
      'Disk full: not tried, because only root may mount a small disk; the test beside this stands for it.',
    );
    return 'not tried';
  }
  await mkdir(join(folder, 'data'));
  const beside = await shop.startSecondServer(join(folder, 'data'));
  try {
    const seller = await register(shop, 'Seller');
    const { kept, refusal } = await uploadUntilRefused(seller, beside.origin);
    require(refusal.status === 503 &&
      refusal.code === 'busy', `A full disk was answered with ${refusal.code}: ${refusal.message}`);
    for (const url of kept) {
      const photo = await fetch(url);
      require(photo.ok &&
        (await photo.arrayBuffer()).byteLength > 0, `${url} was answered for and is not there.`);
    }
    const client = createClient({ base: `${beside.origin}/api`, fetch, token: () => null });
    await client.call(listBrands, {});
    await command('mount', ['-o', 'remount,size=8m', folder]);
    await uploadPicture(seller, beside.origin);
    log(
      `Disk full after ${kept.length} photos: refused in words, all of them served, taken again once there was room.`,
    );
    return `after ${kept.length} photos`;
  } finally {
    await beside.stop();
    await command('umount', [folder]);
    await rm(folder, { recursive: true });
  }
}
