import { beforeAll, expect, test } from 'vitest';
import { verifySeller } from '#contract/operations/user-admin.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';

let shop: SharedShop;
let admin: Person;
beforeAll(async () => {
  shop = await sharedShop();
  admin = await shop.admin();
});

test('the database rejects updates and deletes of audit entries', async () => {
  const seller = await shop.seller();
  await admin.client.call(verifySeller, { params: { email: seller.email }, query: {} });
  const { database } = shop.connection;
  await expect(database.updateTable('audit_entries').set({ note: 'x' }).execute()).rejects.toThrow(
    'never changed',
  );
  await expect(database.deleteFrom('audit_entries').execute()).rejects.toThrow('never changed');
  const kept = [
    'audit_entries',
    'ledger_postings',
    'ledger_entries',
    'receipts',
    'order_events',
    'inspections',
  ];
  for (const table of kept) {
    await expect(shop.connection.pool.query(`truncate ${table} cascade`)).rejects.toThrow('never changed');
  }
});
