import { afterAll, beforeAll, expect, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import { createShopFigures } from '#server/operations/shop-figures.ts';
import { waitForEmptyQueue } from '#tests/harness/job-queue.ts';
import type { TestDatabase } from '#tests/harness/postgres.ts';
import { startTestShop } from '#tests/harness/shop.ts';
import { createApiCalls } from './api-calls.ts';
import { createFilledDatabase, ROWS } from './filled-database.ts';
import { explainEverything, recordStatements, type Statement, setPlans } from './recorded-statements.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createFilledDatabase();
  await explainEverything(database.url);
}, 240_000);
afterAll(() => database.drop());

/** So many rows may be read for one that is answered: it may be joined with rows of several tables. */
const PER_ROW = 5;
/** So many may be read for none: a hundredth of a table, which is what a search of people looks at. */
const FOR_NONE = ROWS / 100 + 100;

const tooGreedy = ({ read, answered }: Statement) => read > FOR_NONE + PER_ROW * answered;

/** The worst run of each statement, in words. */
function described(statements: readonly Statement[]): string[] {
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
  'each query of each call, %s, reads a small multiple of the rows it answers',
  async (_how, mode, at) => {
    await setPlans(database.url, mode);
    const shop = await startTestShop({ database: { url: database.url, drop: async () => undefined } });
    try {
      let during = 'the preparation';
      const every = await createApiCalls(shop, at);
      expect(Object.keys(every).sort()).toEqual([...calls.keys()].sort());
      const figures = createShopFigures(shop.connection.pool);
      const scrape = () => Promise.all(Object.values(figures).map((figure) => figure()));
      // The first scrape of a process counts everything.
      await scrape();
      const statements = recordStatements(shop.connection.pool, () => during);
      for (const [name, call] of Object.entries(every)) {
        during = name;
        await call().catch((error: unknown) => {
          throw new Error(`${name} failed`, { cause: error });
        });
      }
      during = 'a scrape';
      await scrape();
      during = 'jobs';
      await waitForEmptyQueue(shop.connection.pool);
      const own = statements.filter(({ text }) => !text.includes('pgboss'));
      expect(own.length).toBeGreaterThan(calls.size);
      expect(described(own.filter(tooGreedy))).toEqual([]);

      // A statement that reads a whole table for nothing is found, or this test would find none.
      during = 'a query without an index';
      statements.length = 0;
      await shop.connection.pool.query(`select from laptops where name = 'none'`);
      expect(statements.filter(tooGreedy)).toMatchObject([{ during, read: expect.any(Number), answered: 0 }]);
    } finally {
      await shop.close();
    }
  },
  120_000,
);
