import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startCardSandbox } from '../start.ts';
import { clientFor, keys, payByCard, startTestSandbox, temporaryFolder } from '../testing.ts';

const price = { amount: 40_000, currency: 'usd' } as const;

test('restores all state after a restart', async () => {
  const sandbox = await startTestSandbox();
  const paid = await payByCard(
    sandbox,
    await sandbox.stripe.paymentIntents.create(price),
    '4242424242424242',
  );
  const refund = await sandbox.stripe.refunds.create({ payment_intent: paid.id, amount: 100 });
  await sandbox.close();
  const { stripe } = await startTestSandbox({ dataFolder: sandbox.dataFolder });
  expect(await stripe.paymentIntents.retrieve(paid.id)).toEqual(paid);
  expect(await stripe.refunds.retrieve(refund.id)).toEqual(refund);
  expect((await stripe.charges.retrieve(String(paid.latest_charge))).amount_refunded).toBe(100);
});

test('stores no card number and no security code', async () => {
  const sandbox = await startTestSandbox();
  await payByCard(sandbox, await sandbox.stripe.paymentIntents.create(price), '4242424242424242');
  const written = await readFile(join(sandbox.dataFolder, 'journal.jsonl'), 'utf8');
  expect(written).toContain('"last4":"4242"');
  expect(written).not.toContain('4242424242424242');
});

test('drops an incomplete last line and appends after it', async () => {
  const sandbox = await startTestSandbox();
  const intent = await sandbox.stripe.paymentIntents.create(price);
  await sandbox.close();
  await appendFile(join(sandbox.dataFolder, 'journal.jsonl'), '[{"kind":"intent","id":"pi_half');
  const second = await startTestSandbox({ dataFolder: sandbox.dataFolder });
  const later = await second.stripe.paymentIntents.create(price);
  await second.close();
  const third = await startTestSandbox({ dataFolder: sandbox.dataFolder });
  expect((await third.stripe.paymentIntents.list()).data.map(({ id }) => id)).toEqual([later.id, intent.id]);
});

test('refuses to start with a damaged line', async () => {
  const sandbox = await startTestSandbox();
  await sandbox.stripe.paymentIntents.create(price);
  await sandbox.close();
  const path = join(sandbox.dataFolder, 'journal.jsonl');
  await writeFile(path, `garbage\n${await readFile(path, 'utf8')}`);
  await expect(startTestSandbox({ dataFolder: sandbox.dataFolder })).rejects.toThrow('line 1');
});

/** Starts a sandbox in a child process. */
async function startInChildProcess(dataFolder: string) {
  const options = JSON.stringify({ ...keys, port: 0, dataFolder });
  const script = `import { startCardSandbox } from ${JSON.stringify(new URL('../start.ts', import.meta.url).href)};
    process.stdout.write('starting');
    const { origin } = await startCardSandbox(${options}); process.stdout.write(origin);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

test('keeps everything it responded to before SIGKILL', async () => {
  const dataFolder = await temporaryFolder();
  const child = await startInChildProcess(dataFolder);
  const [origin] = await once(child.stdout, 'data');
  const stripe = clientFor(String(origin), keys.secretKey);
  const made = await Promise.all(Array.from({ length: 10 }, () => stripe.paymentIntents.create(price)));
  child.kill('SIGKILL');
  await once(child, 'exit');
  const sandbox = await startTestSandbox({ dataFolder });
  const found = await sandbox.stripe.paymentIntents.list({ limit: 100 });
  expect(found.data.map(({ id }) => id).sort()).toEqual(made.map(({ id }) => id).sort());
});

/** Creates a journal in which later lines replace most of the earlier ones. */
async function createRedundantJournal() {
  const sandbox = await startTestSandbox();
  for (let count = 0; count < 5; count += 1) {
    const intent = await sandbox.stripe.paymentIntents.create(price, { idempotencyKey: `key ${count}` });
    await payByCard(sandbox, intent, '4242424242424242');
    for (let refund = 0; refund < 5; refund += 1) {
      await sandbox.stripe.refunds.create({ payment_intent: intent.id, amount: 100 });
    }
  }
  const all = await sandbox.stripe.paymentIntents.list({ limit: 100 });
  await sandbox.close();
  return {
    dataFolder: sandbox.dataFolder,
    path: join(sandbox.dataFolder, 'journal.jsonl'),
    intents: all.data,
  };
}

test('compacts the journal to the last state of each record at the start', async () => {
  const { dataFolder, path, intents } = await createRedundantJournal();
  const written = async () => {
    const lines = (await readFile(path, 'utf8')).trim().split('\n');
    return lines.flatMap((line) =>
      z.array(z.object({ kind: z.string(), id: z.string() })).parse(JSON.parse(line)),
    );
  };
  const records = new Set((await written()).map(({ kind, id }) => `${kind} ${id}`));
  expect((await written()).length).toBeGreaterThan(records.size + 20);
  for (let start = 0; start < 2; start += 1) {
    const { stripe, close } = await startTestSandbox({ dataFolder });
    expect((await stripe.paymentIntents.list({ limit: 100 })).data).toEqual(intents);
    const again = await stripe.paymentIntents.create(price, { idempotencyKey: 'key 3' });
    expect(intents.map(({ id }) => id)).toContain(again.id);
    await close();
    expect(await written()).toHaveLength(records.size);
  }
});

test('loses nothing if it is killed while it compacts the journal', { tags: 'long' }, async () => {
  const { dataFolder, path, intents } = await createRedundantJournal();
  const original = await readFile(path);
  // The incomplete file that a crash leaves.
  await writeFile(`${path}.new`, original.subarray(0, 1000));
  for (let kill = 0; kill < 6; kill += 1) {
    await writeFile(path, original);
    const child = await startInChildProcess(dataFolder);
    // The kills cover the time from reading the old journal until after it is replaced.
    const exited = once(child, 'exit');
    const until = performance.now() + kill * 4;
    while (performance.now() < until) await readFile(path);
    child.kill('SIGKILL');
    await exited;
    const { stripe, close } = await startTestSandbox({ dataFolder });
    expect((await stripe.paymentIntents.list({ limit: 100 })).data).toEqual(intents);
    await close();
  }
});

test('does not touch the journal if the port is in use', async () => {
  const sandbox = await startTestSandbox();
  const { port } = new URL(sandbox.origin);
  const second = startCardSandbox({ ...keys, port: Number(port), dataFolder: sandbox.dataFolder });
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
  const intent = await sandbox.stripe.paymentIntents.create(price);
  await sandbox.close();
  const { stripe } = await startTestSandbox({ dataFolder: sandbox.dataFolder });
  expect((await stripe.paymentIntents.list()).data.map(({ id }) => id)).toEqual([intent.id]);
});
