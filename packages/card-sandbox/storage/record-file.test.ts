import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { startCardSandbox } from '../start.ts';
import { clientFor, keys, payByCard, startTestSandbox, temporaryFolder } from '../testing/index.ts';

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
  const names = await readdir(sandbox.dataFolder);
  const files = await Promise.all(names.map((name) => readFile(join(sandbox.dataFolder, name), 'latin1')));
  expect(files.join()).toContain('"last4":"4242"');
  expect(files.join()).not.toContain('4242424242424242');
  for (const name of names) {
    expect((await stat(join(sandbox.dataFolder, name))).mode & 0o777).toBe(0o600);
  }
});

test('refuses to start with a record that cannot be read, and says what to do', async () => {
  const sandbox = await startTestSandbox();
  await sandbox.stripe.paymentIntents.create(price);
  await sandbox.close();
  const database = new DatabaseSync(join(sandbox.dataFolder, 'records.sqlite'));
  database.exec(`update records set record = json_set(record, '$.details', null) where kind = 'intent'`);
  database.close();
  await expect(startTestSandbox({ dataFolder: sandbox.dataFolder })).rejects.toThrow(
    `The records in ${sandbox.dataFolder} are damaged, or another version wrote them.`,
  );
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

test('does not touch the state if the port is in use', async () => {
  const sandbox = await startTestSandbox();
  const { port } = new URL(sandbox.origin);
  const second = startCardSandbox({ ...keys, port: Number(port), dataFolder: sandbox.dataFolder });
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
  const intent = await sandbox.stripe.paymentIntents.create(price);
  await sandbox.close();
  const { stripe } = await startTestSandbox({ dataFolder: sandbox.dataFolder });
  expect((await stripe.paymentIntents.list()).data.map(({ id }) => id)).toEqual([intent.id]);
});
