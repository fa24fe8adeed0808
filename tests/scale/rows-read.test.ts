import { afterAll, beforeAll, expect, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import { searchLaptops } from '#contract/listings/search.ts';
import { startTestShop } from '#tests/harness/operations/shop.ts';
import { scrapeMetrics } from '#tests/harness/operations/shop-metrics.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import type { TestDatabase } from '#tests/harness/platform/postgres.ts';
import { createApiCalls } from './api-calls.ts';
import { createFilledDatabase, ROWS } from './filled-database.ts';
import {
  enableAutoExplain,
  recordStatements,
  type Statement,
  setPlanCacheMode,
} from './recorded-statements.ts';

let database: TestDatabase;

/** Milliseconds per time limit, for tables of any size. */
const forTables = (milliseconds: number) => milliseconds * Math.max(1, ROWS / 100_000);

beforeAll(async () => {
  database = await createFilledDatabase();
  await enableAutoExplain(database.url);
}, forTables(240_000));
afterAll(() => database.drop());

/** Maximum number of rows read per returned row, which may be joined from several tables. */
const MAX_READ_PER_ROW = 5;
/** Maximum number of rows read when none is returned: a hundredth of a table, which the user search reads. */
const MAX_READ_WITHOUT_ROWS = ROWS / 100 + 100;

/** Metrics count all orders, refunds and disputes (decision 95): these statements, and no other of a scrape. */
const countsWholeTable = ({ during, text }: Statement) =>
  during === 'a scrape' &&
  /\bfrom (refunds group by reason|refunds where state = 'done'|disputes\) as outcomes)/.test(text);

const readsTooManyRows = ({ read, answered }: Statement) =>
  read > MAX_READ_WITHOUT_ROWS + MAX_READ_PER_ROW * answered;

/** Describes the execution of each statement that read the most rows. */
function describeWorst(statements: readonly Statement[]): string[] {
  const byText = Map.groupBy(statements, ({ text }) => text);
  return [...byText.values()].flatMap((runs) => {
    const [worst] = runs.toSorted((a, b) => b.read - a.read);
    if (worst === undefined) return [];
    const { during, read, answered, text, plan } = worst;
    return [`${during} read ${read} rows for ${answered}: ${text.replace(/\s+/g, ' ')}\n${plan}`];
  });
}

test.each([
  ['planned for its parameters', 'force_custom_plan', 1],
  ['planned once for all parameters', 'force_generic_plan', 2],
])(
  'each query of each call, %s, reads a small multiple of the rows it returns',
  async (_how, mode, at) => {
    await setPlanCacheMode(database.url, mode);
    const shop = await startTestShop({ database: { url: database.url, drop: async () => undefined } });
    try {
      let during = 'the preparation';
      const every = await createApiCalls(shop, at);
      // The index of a million laptops takes seconds to load. The newest laptops alone are found without it.
      const search = { query: { brand: 'HP', sort: 'price', limit: 1 } } as const;
      const isLoaded = () =>
        shop.visitor.call(searchLaptops, search).then(
          () => true,
          () => false,
        );
      await expect.poll(isLoaded, { interval: 500, timeout: 120_000 }).toBe(true);
      const statements = recordStatements(shop.connection.pool, () => during);
      for (const [name, call] of Object.entries(every)) {
        during = name;
        await call().catch((error: unknown) => {
          throw new Error(`${name} failed`, { cause: error });
        });
      }
      during = 'a scrape';
      await scrapeMetrics(shop.connection);
      during = 'jobs';
      await waitForEmptyQueue(shop.connection.pool);
      const own = statements.filter(
        (statement) => !statement.text.includes('pgboss') && !countsWholeTable(statement),
      );
      expect(own.length).toBeGreaterThan(calls.size);
      expect(describeWorst(own.filter(readsTooManyRows))).toEqual([]);

      // The check itself: a full table scan without a result is reported.
      during = 'a query without an index';
      statements.length = 0;
      await shop.connection.pool.query(`select from laptops where name = 'none'`);
      expect(statements.filter(readsTooManyRows)).toMatchObject([
        { during, read: expect.any(Number), answered: 0 },
      ]);
    } finally {
      await shop.close();
    }
  },
  forTables(120_000),
);
