import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startCards } from './start.ts';
import { clientFor, keys, payByCard, startShop, temporaryFolder } from './test-shop.ts';

const price = { amount: 40_000, currency: 'usd' } as const;

test('everything is there again after a restart', async () => {
  const shop = await startShop();
  const paid = await payByCard(shop, await shop.stripe.paymentIntents.create(price), '4242424242424242');
  const refund = await shop.stripe.refunds.create({ payment_intent: paid.id, amount: 100 });
  await shop.close();
  const { stripe } = await startShop({ dataFolder: shop.dataFolder });
  expect(await stripe.paymentIntents.retrieve(paid.id)).toEqual(paid);
  expect(await stripe.refunds.retrieve(refund.id)).toEqual(refund);
  expect((await stripe.charges.retrieve(String(paid.latest_charge))).amount_refunded).toBe(100);
});

test('no card number or code is ever written down', async () => {
  const shop = await startShop();
  await payByCard(shop, await shop.stripe.paymentIntents.create(price), '4242424242424242');
  const written = await readFile(join(shop.dataFolder, 'journal.jsonl'), 'utf8');
  expect(written).toContain('"last4":"4242"');
  expect(written).not.toContain('4242424242424242');
});

test('a line cut short by a crash is dropped and writing goes on', async () => {
  const shop = await startShop();
  const intent = await shop.stripe.paymentIntents.create(price);
  await shop.close();
  await appendFile(join(shop.dataFolder, 'journal.jsonl'), '[{"kind":"intent","id":"pi_half');
  const second = await startShop({ dataFolder: shop.dataFolder });
  const later = await second.stripe.paymentIntents.create(price);
  await second.close();
  const third = await startShop({ dataFolder: shop.dataFolder });
  expect((await third.stripe.paymentIntents.list()).data.map(({ id }) => id)).toEqual([later.id, intent.id]);
});

test('a damaged line ends the start instead of losing money silently', async () => {
  const shop = await startShop();
  await shop.stripe.paymentIntents.create(price);
  await shop.close();
  const path = join(shop.dataFolder, 'journal.jsonl');
  await writeFile(path, `garbage\n${await readFile(path, 'utf8')}`);
  await expect(startShop({ dataFolder: shop.dataFolder })).rejects.toThrow('line 1');
});

test('what was answered before kill -9 is there afterwards', async () => {
  const dataFolder = await temporaryFolder();
  const options = JSON.stringify({ ...keys, port: 0, dataFolder });
  const script = `import { startCards } from ${JSON.stringify(new URL('./start.ts', import.meta.url).href)};
    const { origin } = await startCards(${options}); process.stdout.write(origin);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [origin] = await once(child.stdout, 'data');
  const stripe = clientFor(String(origin), keys.secretKey);
  const made = await Promise.all(Array.from({ length: 10 }, () => stripe.paymentIntents.create(price)));
  child.kill('SIGKILL');
  await once(child, 'exit');
  const shop = await startShop({ dataFolder });
  const found = await shop.stripe.paymentIntents.list({ limit: 100 });
  expect(found.data.map(({ id }) => id).sort()).toEqual(made.map(({ id }) => id).sort());
});

test('a start on a taken port leaves the state to its owner', async () => {
  const shop = await startShop();
  const { port } = new URL(shop.origin);
  const second = startCards({ ...keys, port: Number(port), dataFolder: shop.dataFolder });
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
  const intent = await shop.stripe.paymentIntents.create(price);
  await shop.close();
  const { stripe } = await startShop({ dataFolder: shop.dataFolder });
  expect((await stripe.paymentIntents.list()).data.map(({ id }) => id)).toEqual([intent.id]);
});
