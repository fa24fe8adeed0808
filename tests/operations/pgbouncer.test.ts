import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { listCategory } from '#contract/listings/catalogue.ts';
import { listBookings } from '#contract/sales/bookings.ts';
import { warnAboutPooler } from '#server/operations/processes/connection-count.ts';
import { connect } from '#server/platform/database/connect.ts';
import { listenForNotifications } from '#server/platform/database/notification-listener.ts';
import { runCommand } from '#tests/harness/operations/server-process.ts';
import { startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { freeShopPort } from '#tests/harness/operations/shop-ports.ts';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '#tests/harness/platform/pgbouncer.ts';
import { createTestDatabase, type TestDatabase } from '#tests/harness/platform/postgres.ts';

// Debian's package pgbouncer; npm has none. `npm run scale` requires it.
describe.skipIf(!hasPgBouncer)('through PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let pooler: PgBouncer;
  let pooledUrl: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    pooler = await startPgBouncer(database.url, { serverConnections: 3 });
    pooledUrl = pooler.urlOf(new URL(database.url).pathname.slice(1));
  });
  afterAll(async () => {
    await pooler.stop();
  });

  test('a connection for notifications that hears none says what to set', async () => {
    const problem = Promise.withResolvers<string>();
    const heartbeat = { intervalMs: 60_000, timeoutMs: 500 };
    const listener = listenForNotifications(pooledUrl, problem.resolve, heartbeat);
    listener.subscribe('things', {
      onConnect: () => problem.resolve('It hears.'),
      onNotification: () => undefined,
    });
    try {
      expect(await problem.promise).toContain('Set DATABASE_DIRECT_URL');
    } finally {
      await listener.stop();
    }
  });

  test('a pooler whose statements have no time limit is told to the operator', async () => {
    const warn = vi.fn();
    await warnAboutPooler(pooledUrl, warn);
    expect(warn).not.toHaveBeenCalled();
    const unlimited = await startPgBouncer(database.url, { limitsStatements: false });
    try {
      await warnAboutPooler(unlimited.urlOf(new URL(database.url).pathname.slice(1)), warn);
    } finally {
      await unlimited.stop();
    }
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('connect_query'));
  });

  test('a shop without DATABASE_DIRECT_URL does not start, and says what to set', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'coomercio-pooled-'));
    try {
      const { code, stderr } = await runCommand('server/main.ts', [], {
        PORT: String(await freeShopPort()),
        COOMERCIO_DATA: folder,
        DATABASE_URL: pooledUrl,
        DEMO: '0',
      });
      expect(code).toBe(1);
      expect(stderr).toContain('Set DATABASE_DIRECT_URL');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  describe('with DATABASE_DIRECT_URL', () => {
    let shop: TestShop;
    beforeAll(async () => {
      const pooled = connect(pooledUrl, () => undefined, { isPooled: true });
      shop = await startTestShop({
        // Dropped when the shop closes.
        database,
        dependencies: async () => ({ database: pooled.database }),
      });
    });
    afterAll(() => shop.close());

    test('laptops are listed and booked, and lists show changes at once', async () => {
      const [seller, buyer] = [await shop.seller(), await shop.buyer()];
      for (let round = 0; round < 5; round += 1) {
        const laptop = await shop.laptop(seller, { name: `Pooled ${round}` });
        const laptops = await shop.visitor.call(listCategory, { params: { id: 'HP' }, query: {} });
        expect(laptops.map(({ _id }) => _id)).toContain(laptop);
        await shop.booking(buyer, laptop);
      }
      expect(await buyer.client.call(listBookings, { query: {} })).toHaveLength(5);
    });

    test('many clients share few connections, and nothing of one stays for another', async () => {
      const buyer = await shop.buyer('Busy Buyer');
      const answers = await Promise.all(
        Array.from({ length: 60 }, () => buyer.client.call(listBookings, { query: {} })),
      );
      expect(answers.flat()).toEqual([]);
    });
  });
});
