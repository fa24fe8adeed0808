// A shop in another currency than the dollar sells a laptop against the card processor's fake, which is as strict as Stripe.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteOwnLaptop, readLaptop, relistLaptop } from '#contract/listings/catalogue.ts';
import { searchLaptops } from '#contract/listings/search.ts';
import { exportAccounts, listReceipts, readReceipt } from '#contract/money/accounting.ts';
import { readOwnMoney } from '#contract/money/payouts.ts';
import { readSettings, readShopSettings } from '#contract/operations/settings.ts';
import { type CurrencyCode, currencyOf } from '#contract/platform/currencies.ts';
import { setCurrency } from '#contract/platform/money.ts';
import { book } from '#contract/sales/bookings.ts';
import { buyLabel, listOrderLabels, quoteLabel } from '#contract/sales/labels.ts';
import { confirmOrder, readOrder, refundOrder } from '#contract/sales/orders.ts';
import { compareWithProcessor } from '#server/money/accounting/actions.ts';
import { fromStripe } from '#server/providers/stripe-amounts.ts';
import { createPayoutProcessor } from '#server/providers/stripe-connect.ts';
import { onboardedSeller, transfersOf } from '#tests/harness/money/connected-seller.ts';
import { findMoneyViolations } from '#tests/harness/money/money-invariants.ts';
import { readProcessorLedger } from '#tests/harness/money/processor-ledger.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { sampleSender, startTestCarriers, type TestCarriers, verify } from '#tests/harness/sales/carriers.ts';
import { sampleAddress, sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

interface Case {
  code: CurrencyCode;
  shown: string;
  part: string;
  plain: string;
  /** How many hundredths Stripe's smallest unit has. */
  cents: number;
  tooSmall: string;
  wrong: number[];
  hint: string;
  words: string[];
  found: string;
}

/** In each currency the amounts have the same digits, at Stripe as well. */
const cases: readonly Case[] = [
  {
    ...{ code: 'EUR', shown: '€549.99', part: '€100.01', plain: '549.99', cents: 1 },
    ...{ tooSmall: '€0.50', wrong: [549.999], hint: 'in euros, with at most two decimals, such as 549.99' },
    ...{ words: ['under 560 euros', 'under €560', '560 EUR max'], found: '560' },
  },
  {
    ...{
      code: 'JPY',
      unit: 100,
      shown: '¥54,999',
      part: '¥10,001',
      due: '¥42,708',
      plain: '54999',
      cents: 100,
    },
    ...{ tooSmall: '¥50', wrong: [100.5, 549.99], hint: 'in whole yen, such as 54999' },
    ...{ words: ['under 56000 yen', 'under ¥56,000', '56000 JPY max', 'under 56k'], found: '56000' },
  },
];

describe.each(cases)('a shop in $code', (its) => {
  const { code } = its;
  let shop: TestShop;
  let admin: Person;
  let carriers: TestCarriers;
  beforeAll(async () => {
    shop = await startTestShop({
      dependencies: async (context) => {
        carriers = await startTestCarriers(context);
        return { carriers: carriers.carriers };
      },
      settings: {
        currency: code,
        commission: { basisPoints: 500, fixedCents: 50 * its.cents },
        leastPriceCents: currencyOf(code).leastCents,
      },
    });
    admin = await shop.admin();
    await shop.cards.topUp(1_000_000);
    await shop.cards.settleFunds();
  });
  afterAll(async () => {
    await shop.close();
    await carriers.close();
  });

  /** Of the last of the shop's currency, which Stripe counts as the shop's hundredth or yen: 54999 is €549.99 or ¥54,999. */
  const amount = (smallest: number) => (smallest * its.cents) / 100;

  test('sells, refunds a part, pays the seller, and its ledger equals the balance at the card processor', async () => {
    const seller = await onboardedSeller(shop);
    const laptopId = await shop.laptop(seller, {
      original_price: amount(129_900),
      resale_price: amount(54_999),
    });
    const sale = await sellLaptop(shop, { seller, laptopId, price: amount(54_999) });
    const params = { _id: sale.orderId };
    const intent = await shop.cards.stripe.paymentIntents.retrieve(sale.transactionId);
    expect(intent).toMatchObject({ amount_received: 54_999, currency: code.toLowerCase() });
    await admin.client.call(refundOrder, {
      params,
      body: { amount: amount(10_001), from: 'seller', text: 'The battery is worn out.' },
    });
    await sale.buyer.client.call(confirmOrder, { params });
    expect(await admin.client.call(readOrder, { params })).toMatchObject({
      price: amount(54_999),
      refunded: amount(10_001),
      commission: amount(2_290),
      proceeds: amount(42_708),
      currency: code,
    });
    expect(await seller.client.call(readOwnMoney, {})).toMatchObject({ due: amount(42_708), currency: code });
    await shop.runPayouts();
    await shop.cards.deliverEvents({});
    await waitForEmptyQueue(shop.connection.pool);
    expect(await transfersOf(shop, sale.orderId)).toEqual([42_708]);
    expect(await shop.cards.refundedCents(sale.transactionId)).toBe(10_001);

    // Receipts, files and letters.
    const receipts = await sale.buyer.client.call(listReceipts, { query: {} });
    expect(receipts.map((each) => each.amount)).toEqual([amount(10_001), amount(54_999)]);
    const [{ number } = { number: '' }] = receipts;
    expect(await sale.buyer.client.call(readReceipt, { params: { number } })).toMatchObject({
      currency: code,
    });
    const day = new Date().toISOString().slice(0, 10);
    const { lines } = await admin.client.call(exportAccounts, {
      params: { file: 'receipts' },
      query: { from: day, until: day },
    });
    expect(lines[0]).toContain(`Amount in ${code}`);
    expect(lines.join('\n')).toContain(`,${its.plain},`);
    const letters = shop.mails.map(({ text }) => text).join('\n');
    expect(letters).toContain(its.shown);
    expect(letters).toContain(its.part);
    expect(letters).not.toMatch(/\$\d/);

    // The books.
    const balance = createPayoutProcessor({
      secretKey: shop.cards.secretKey,
      apiUrl: new URL(shop.cards.origin),
    });
    const { database, pool } = shop.connection;
    const later = new Date(Date.now() + 2 * 3_600_000);
    const { rows } = await compareWithProcessor({ database, enqueue: shop.enqueue, balance }, later);
    expect(rows).toEqual([]);
    const processorLedger = await readProcessorLedger(shop.cards.stripe);
    expect((await findMoneyViolations(pool, processorLedger, null)).join('; ')).toBe('');
    const { available, pending } = await shop.cards.stripe.balance.retrieve();
    const atStripe = [...available, ...pending].reduce(
      (sum, each) => sum + fromStripe(each.amount, each.currency),
      0,
    );
    const ledger = await pool.query<{ cents: string; currencies: string[] }>(
      `select sum(amount_cents) as cents, array_agg(distinct currency) as currencies
         from ledger_entries join ledger_postings on ledger_postings.id = posting_id where account = 'processor'`,
    );
    expect(ledger.rows).toEqual([{ cents: String(atStripe), currencies: [code] }]);
  });

  test('buys an insured label, whose costs exist in it, and its ledger balances', async () => {
    const seller = await shop.seller();
    const laptopId = await shop.laptop(seller, {
      ...{ original_price: amount(129_900), resale_price: amount(54_999), delivery: 'ship' },
    });
    const address = sampleAddress;
    const sale = await sellLaptop(shop, { seller, laptopId, address, price: amount(54_999) });
    await verify(shop, seller);
    const params = { _id: sale.orderId };
    const { _id, rates, insured } = await seller.client.call(quoteLabel, {
      params,
      body: { sender: sampleSender },
    });
    expect(insured).toBe(amount(54_999));
    const [rate] = rates;
    const price = rate?.price ?? 0;
    await seller.client.call(buyLabel, { params: { _id }, body: { rate: rate?._id ?? '', price } });
    await waitForEmptyQueue(shop.connection.pool);
    expect(await seller.client.call(listOrderLabels, { params })).toMatchObject({
      labels: [{ state: 'bought', price }],
    });
    const { pool } = shop.connection;
    const { rows } = await pool.query<{ cost_cents: number; premium_cents: number }>(
      'select cost_cents, premium_cents from labels where id = $1',
      [_id],
    );
    // The premium is 1 %, of which a fraction counts as one.
    expect(rows).toEqual([{ cost_cents: expect.any(Number), premium_cents: 550 * its.cents }]);
    expect((rows[0]?.cost_cents ?? 1) % its.cents).toBe(0);
    expect(price * 100).toBeCloseTo((rows[0]?.cost_cents ?? 0) + 550 * its.cents);
    const ledger = await pool.query<{ account: string; cents: number }>(
      `select account, sum(amount_cents)::int as cents from ledger_entries
         join ledger_postings on ledger_postings.id = posting_id
        where order_id = $1 and kind in ('label_bought', 'label_insured') group by account order by account`,
      [sale.orderId],
    );
    const paidCents = (rows[0]?.cost_cents ?? 0) + 550 * its.cents;
    expect(ledger.rows).toEqual([
      { account: 'carrier_payable', cents: -paidCents },
      { account: 'label_advances', cents: paidCents },
    ]);
    const processorLedger = await readProcessorLedger(shop.cards.stripe);
    expect((await findMoneyViolations(pool, processorLedger, null)).join('; ')).toBe('');
  });

  test('takes only amounts that exist in it', async () => {
    const seller = await shop.seller();
    const list = (resale_price: number) =>
      shop.laptop(seller, { original_price: amount(129_900), resale_price });
    for (const wrong of its.wrong) {
      await expect(list(wrong)).rejects.toMatchObject({
        errors: { resale_price: `A price is ${its.hint}` },
      });
    }
    await expect(list(amount(49))).rejects.toMatchObject({
      errors: { resale_price: expect.stringContaining(its.tooSmall) },
    });
    expect((await shop.visitor.call(readLaptop, { params: { _id: await list(amount(50)) } })).currency).toBe(
      code,
    );
    const { pool } = shop.connection;
    const half = code === 'JPY' ? 550 : 49;
    await expect(
      pool.query(`update laptops set resale_price_cents = $1 where state = 'available'`, [half]),
    ).rejects.toMatchObject({ constraint: code === 'JPY' ? 'whole_price' : 'least_price' });
  });

  test('understands its prices in searches', async () => {
    for (const q of its.words) {
      const { understood } = await shop.visitor.call(searchLaptops, { query: { q } });
      expect(understood).toMatchObject([{ parameters: [{ name: 'max_price', value: its.found }] }]);
    }
    const { understood } = await shop.visitor.call(searchLaptops, { query: { q: 'under 14 inches' } });
    expect(understood).toEqual([]);
  });

  test('refunds a payment that arrives in another currency', async () => {
    const seller = await shop.seller();
    const laptopId = await shop.laptop(seller, {
      original_price: amount(129_900),
      resale_price: amount(54_999),
    });
    const bookingId = await shop.booking(await shop.buyer(), laptopId, { price: amount(54_999) });
    const { id } = await shop.cards.stripe.paymentIntents.create({
      ...{ amount: 54_999, currency: 'usd', payment_method: 'pm_card_visa', confirm: true },
      allowed_payment_method_types: ['card'],
      metadata: { bookingId },
    });
    await shop.cards.deliverEvents({});
    await waitForEmptyQueue(shop.connection.pool);
    expect(await shop.cards.refundedCents(id)).toBe(54_999);
  });

  test('keeps its currency, because there are bookings', async () => {
    // Also while a laptop is listed: to delete it would not help.
    await shop.laptop(await shop.seller(), {
      original_price: amount(129_900),
      resale_price: amount(54_999),
    });
    await expect(shop.changeSettings({ currency: 'USD' })).rejects.toMatchObject({
      code: 'currency_in_use',
      message: expect.stringContaining('before the first booking'),
    });
    expect((await shop.visitor.call(readSettings, {})).shop.currency).toBe(code);
  });
});

describe('the currency of a fresh shop', () => {
  let shop: TestShop;
  let admin: Person;
  beforeAll(async () => {
    shop = await startTestShop();
    admin = await shop.admin();
  });
  afterAll(() => shop.close());
  const stored = async () => (await admin.client.call(readShopSettings, {})).settings;

  test('changes only while no laptop is listed, and the least price follows', async () => {
    const seller = await shop.seller();
    const laptopId = await shop.laptop(seller);
    await expect(shop.changeSettings({ currency: 'EUR' })).rejects.toMatchObject({
      code: 'currency_in_use',
      message: expect.stringContaining('while no laptop is listed'),
    });
    expect(await stored()).toMatchObject({ currency: 'USD', leastPriceCents: 50 });
    const params = { _id: laptopId };
    await seller.client.call(deleteOwnLaptop, { params });
    await expect(
      shop.changeSettings({ currency: 'JPY', commission: { basisPoints: 0, fixedCents: 150 } }),
    ).rejects.toMatchObject({
      errors: { 'settings.commission.fixedCents': expect.stringContaining('in whole yen, up to 100000') },
    });
    await shop.changeSettings({ currency: 'JPY' });
    expect(await stored()).toMatchObject({ currency: 'JPY', leastPriceCents: 5_000 });
    const again = () => seller.client.call(relistLaptop, { params, body: {} });
    await expect(again()).rejects.toThrow('The shop sells in JPY now, and the price of');
    await shop.changeSettings({ currency: 'USD' });
    expect(await again()).toMatchObject({ modifiedCount: 1 });
    await seller.client.call(deleteOwnLaptop, { params });
  });

  test('is that of every listed laptop, also of one that is listed at the same moment', async () => {
    const seller = await shop.seller();
    const { pool } = shop.connection;
    // A transaction that changes the currency has not committed yet.
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query(`update shop_currency set code = 'EUR'`);
      const listed = shop.laptop(seller);
      await expect
        .poll(async () => {
          const { rows } = await pool.query(
            `select count(*)::int as waiting from pg_stat_activity
              where wait_event_type = 'Lock' and query like 'insert into "laptops"%' and datname = current_database()`,
          );
          return rows[0].waiting;
        })
        .toBe(1);
      await client.query('commit');
      await expect(listed).rejects.toMatchObject({ code: 'changed_elsewhere' });
      await client.query(`update shop_currency set code = 'USD'`);
    } finally {
      client.release();
    }
  });

  test('stays after the first booking, and a process that has another one in memory books nothing', async () => {
    const [seller, buyer] = [await shop.seller(), await shop.buyer()];
    const laptopId = await shop.laptop(seller, { original_price: 1_299, resale_price: 550 });
    const details = { price: 550, phone: '+351 912 345 679', location: 'Lisbon' };
    const bookIt = () => buyer.client.call(book, { body: { productCode: laptopId, ...details } });
    setCurrency(currencyOf('EUR'));
    await expect(bookIt()).rejects.toMatchObject({ code: 'changed_elsewhere' });
    setCurrency(currencyOf('USD'));
    expect(await bookIt()).toHaveProperty('insertedId');
    await seller.client.call(deleteOwnLaptop, { params: { _id: laptopId } });
    await expect(shop.changeSettings({ currency: 'EUR' })).rejects.toMatchObject({
      message: expect.stringContaining('before the first booking'),
    });
  });
});
