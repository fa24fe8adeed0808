import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Health, HealthSubject } from '#contract/operations/health.ts';
import { readHealth } from '#contract/operations/health.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';

let shop: TestShop;
let admin: Person;
let verify: () => Promise<void> = async () => undefined;
let verifications = 0;

beforeAll(async () => {
  shop = await startTestShop({
    photoKey: 'a key',
    dependencies: async () => ({
      emailSender: {
        send: async () => undefined,
        deliver: async () => undefined,
        verify: () => {
          verifications += 1;
          return verify();
        },
        close: () => undefined,
      },
    }),
  });
  admin = await shop.admin();
});
afterAll(() => shop.close());

const read = () => admin.client.call(readHealth, {});
const find = ({ checks }: Health, subject: HealthSubject) =>
  checks.find((check) => check.subject === subject);

/** Waits until the shop checks again. */
async function readAfter(before: Health): Promise<Health> {
  let health = before;
  await expect
    .poll(
      async () => {
        health = await read();
        return health.checkedAt;
      },
      { timeout: 60_000, interval: 500 },
    )
    .not.toBe(before.checkedAt);
  return health;
}

test('a shop that works says so for each part, and many admins cost one check', async () => {
  await waitForEmptyQueue(shop.connection.pool);
  const [health] = await Promise.all(Array.from({ length: 20 }, read));
  expect(verifications).toBe(1);
  if (health === undefined) throw new Error('There is no answer.');
  const states = Object.fromEntries(health.checks.map(({ subject, state }) => [subject, state]));
  expect(states).toMatchObject({
    shop: 'fine',
    database: 'fine',
    jobs: 'fine',
    search: 'fine',
  });
  // This shop has no backups, fakes for its providers, and a card processor that cannot be asked for a balance.
  expect(states).toMatchObject({ backups: 'look', email: 'look', payments: 'look' });
  expect(health.state).toBe('look');
  expect(find(health, 'database')?.figures).toContainEqual({ name: 'Processes of the shop', value: '1' });
  expect(find(health, 'search')?.finding).toBe('The search has all laptops.');
});

test('a mail server that hangs is broken, and keeps nothing else from being checked', async () => {
  const before = await read();
  verify = () => new Promise(() => undefined);
  const health = await readAfter(before);
  expect(find(health, 'email')).toMatchObject({
    state: 'broken',
    finding: 'The mail server did not answer within 2.5 s.',
  });
  expect(find(health, 'database')?.state).toBe('fine');
  expect(health.state).toBe('broken');
});

test('a job that nobody does is broken', async () => {
  const before = await read();
  verify = async () => undefined;
  const boss = new PgBoss({ connectionString: shop.database.url, supervise: false, schedule: false });
  await boss.start();
  await boss.createQueue('abandoned');
  await boss.send('abandoned', {}, { startAfter: new Date(Date.now() - 600_000) });
  await boss.stop();
  const health = await readAfter(before);
  expect(find(health, 'jobs')).toMatchObject({ state: 'broken', finding: 'Jobs wait and nobody does them.' });
});
