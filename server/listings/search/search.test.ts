import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteOwnLaptop } from '#contract/listings/catalogue.ts';
import { listSimilar, searchLaptops, suggestSearches } from '#contract/listings/search.ts';
import { verifySeller } from '#contract/operations/user-admin.ts';
import { changeListing } from '#tests/harness/listings/change-listing.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';

let shop: TestShop;
let seller: Person;
beforeAll(async () => {
  shop = await startTestShop();
  seller = await shop.seller();
  await list('Latitude 7420', { brand: 'Dell', price: 500, memory: '16 GB' });
  await list('Latitude 5420', { brand: 'Dell', price: 400, memory: '8 GB' });
  await list('EliteBook 840', { brand: 'HP', price: 450, memory: '16 GB' });
  await list('Swift 3', { brand: 'Acer', price: 300, memory: '8 GB' });
});
afterAll(() => shop.close());

const list = (name: string, { brand, price, memory }: { brand: string; price: number; memory: string }) =>
  shop.laptop(seller, {
    name,
    category_Id: brand,
    original_price: 900,
    resale_price: price,
    description: { Memory: memory },
  });

const search = (query: object = {}) => shop.visitor.call(searchLaptops, { query });
const names = async (query: object) => (await search(query)).laptops.map(({ name }) => name);

describe('searching', () => {
  test('finds the laptops that match all filters, newest first', async () => {
    await expect
      .poll(() => names({}))
      .toEqual(['Swift 3', 'EliteBook 840', 'Latitude 5420', 'Latitude 7420']);
    expect(await names({ memory: 16 })).toEqual(['EliteBook 840', 'Latitude 7420']);
    expect(await names({ memory: [8, 16], brand: 'Dell' })).toEqual(['Latitude 5420', 'Latitude 7420']);
    expect(await names({ min_price: 400, max_price: 450 })).toEqual(['EliteBook 840', 'Latitude 5420']);
    expect(await names({ q: 'latitude 16 gb' })).toEqual(['Latitude 7420']);
  });

  test('counts each filter against the others', async () => {
    const { total, facets } = await search({ brand: 'Dell' });
    expect(total).toBe(2);
    expect(facets.memory).toEqual(
      expect.arrayContaining([
        { value: '8', count: 1 },
        { value: '16', count: 1 },
      ]),
    );
    expect(facets.brand).toEqual(
      expect.arrayContaining([
        { value: 'Dell', count: 2 },
        { value: 'HP', count: 1 },
        { value: 'Acer', count: 1 },
      ]),
    );
  });

  test('sorts by price, and continues after the cursor of the page before', async () => {
    const first = await search({ sort: 'price', limit: 3 });
    expect(first.laptops.map(({ resale_price }) => resale_price)).toEqual([300, 400, 450]);
    expect(first.skipped).toBe(0);
    const second = await search({ sort: 'price', limit: 3, cursor: first.next });
    expect(second.laptops.map(({ name }) => name)).toEqual(['Latitude 7420']);
    expect(second).toMatchObject({ skipped: 3, total: 4 });
    await expect(search({ sort: '-price', limit: 3, cursor: first.next })).rejects.toMatchObject({
      status: 422,
      errors: { cursor: 'Unknown cursor' },
    });
  });

  test('reads prices, purposes and places in words as filters, and says so', async () => {
    const place = (await search()).laptops[0]?.location ?? '';
    const found = await search({ q: `office under $420 near ${place}` });
    expect(found.laptops.map(({ name }) => name)).toEqual(['Swift 3', 'Latitude 5420']);
    expect(found).toMatchObject({ words: '', sort: 'relevance' });
    expect(found.understood).toEqual([
      { text: 'under $420', parameters: [{ name: 'max_price', value: '420' }] },
      { text: 'office', parameters: [{ name: 'memory', value: '8-or-more' }] },
      { text: `near ${place}`, parameters: [{ name: 'place', value: place }] },
    ]);
    // The same as parameters.
    const same = await search({ max_price: 420, memory: '8-or-more', place });
    expect(same.laptops).toEqual(found.laptops);
    expect(same.facets).toEqual(found.facets);
    const one = (await search({ q: '16 GB or more' })).facets.memory;
    expect(one).toContainEqual({ value: '16-or-more', count: 2 });
  });

  test('names the closest laptops when nothing matches, with what they lack', async () => {
    const { total, closest } = await search({ q: 'latitude pink under $450', memory: 16 });
    expect(total).toBe(0);
    expect(closest.map(({ laptop, ...lacking }) => ({ name: laptop.name, ...lacking }))).toEqual([
      { name: 'EliteBook 840', filters: [], words: ['latitude', 'pink'] },
      { name: 'Latitude 5420', filters: ['memory'], words: ['pink'] },
      { name: 'Latitude 7420', filters: ['price'], words: ['pink'] },
      { name: 'Swift 3', filters: ['memory'], words: ['latitude', 'pink'] },
    ]);
  });

  test('corrects a misspelled word, and says so', async () => {
    expect(await search({ q: 'elitebok' })).toMatchObject({ corrected: 'elitebook', total: 1 });
  });

  test('suggests searches as people write them, and the newest matching laptops', async () => {
    const suggest = (q: string) => shop.visitor.call(suggestSearches, { query: { q } });
    const { suggestions, laptops } = await suggest('lati');
    expect(suggestions).toEqual([{ text: 'Latitude', count: 2 }]);
    expect(laptops).toMatchObject([
      { name: 'Latitude 5420', resale_price: 400, image: expect.stringMatching(/^http/) },
      { name: 'Latitude 7420', resale_price: 500 },
    ]);
    expect(Object.keys(laptops[0] ?? {}).sort()).toEqual(['_id', 'image', 'name', 'resale_price']);
    expect((await suggest('dell 16')).suggestions).toEqual([{ text: 'Dell 16 GB', count: 1 }]);
    // No name has the memory.
    expect((await suggest('16')).laptops.map(({ name }) => name)).toEqual(['EliteBook 840', 'Latitude 7420']);
    expect((await suggest('latitde')).laptops.map(({ name }) => name)).toEqual([
      'Latitude 5420',
      'Latitude 7420',
    ]);
    expect(await suggest('!')).toEqual({ suggestions: [], laptops: [] });
  });

  test('says which filter to remove when nothing matches', async () => {
    expect(await search({ brand: 'Acer', memory: 16 })).toMatchObject({
      total: 0,
      loosen: expect.arrayContaining([
        { filters: ['brand'], total: 2 },
        { filters: ['memory'], total: 1 },
      ]),
    });
  });

  test('says which filters to remove together when no one is enough', async () => {
    expect(await search({ brand: 'Acer', memory: 16, max_price: 200, condition: 'Excellent' })).toMatchObject(
      {
        total: 0,
        loosen: [
          { filters: ['brand', 'price'], total: 2 },
          { filters: ['memory', 'price'], total: 1 },
        ],
      },
    );
    const unknown = await search({ q: 'xyzzy', memory: 256 });
    expect(unknown).toMatchObject({ loosen: [] });
  });

  test('has no contact data, also for signed-in users', async () => {
    const { laptops } = await seller.client.call(searchLaptops, { query: {} });
    expect(laptops[0]).not.toHaveProperty('mobile_number');
    expect(laptops[0]).not.toHaveProperty('seller_email');
  });

  test.each([
    [{ memory: 'lots' }, 'memory.0'],
    [{ system: 'amiga' }, 'system.0'],
    [{ battery: 'strong' }, 'battery.0'],
    [{ battery: 85 }, 'battery.0'],
    [{ battery: -90 }, 'battery.0'],
    [{ battery: '9e99' }, 'battery.0'],
    [{ sort: 'random' }, 'sort'],
    [{ q: 'x'.repeat(101) }, 'q'],
    [{ cursor: 'e30' }, 'cursor'],
    [{ brand: Array.from({ length: 51 }, (_, index) => `B${index}`) }, 'brand'],
  ])('refuses %j with an error at the field', async (query, field) => {
    await expect(search(query)).rejects.toMatchObject({
      status: 422,
      errors: { [field]: expect.any(String) },
    });
  });
});

describe('the index', () => {
  test('follows listings, withdrawals and verifications', async () => {
    const id = await list('Spin 5', { brand: 'Acer', price: 700, memory: '32 GB' });
    await expect.poll(() => names({ memory: 32 })).toEqual(['Spin 5']);
    expect(await names({ memory: 32, verified: 'yes' })).toEqual([]);
    await (await shop.admin()).client.call(verifySeller, { params: { email: seller.email }, query: {} });
    await expect.poll(() => names({ memory: 32, verified: 'yes' })).toEqual(['Spin 5']);
    await seller.client.call(deleteOwnLaptop, { params: { _id: id } });
    await expect.poll(() => names({ memory: 32 })).toEqual([]);
  });

  test('sees what a long transaction commits after later ones', async () => {
    const id = await list('Aspire 5', { brand: 'Acer', price: 600, memory: '64 GB' });
    await expect.poll(() => names({ memory: 64 })).toEqual(['Aspire 5']);
    const client = await shop.connection.pool.connect();
    try {
      await client.query('begin');
      await client.query('update laptops set memory_gb = 48 where id = $1', [id]);
      await list('Aspire 7', { brand: 'Acer', price: 600, memory: '24 GB' });
      await expect.poll(() => names({ memory: 24 })).toEqual(['Aspire 7']);
      await client.query('commit');
    } finally {
      client.release();
    }
    await expect.poll(() => names({ memory: 48 })).toEqual(['Aspire 5']);
  });
});

describe('similar laptops', () => {
  const similarTo = async (id: string) =>
    (await shop.visitor.call(listSimilar, { params: { _id: id } })).map(({ name }) => name);

  test('are of the brand with the memory, then of the brand, then with the memory, newest first', async () => {
    const own = await list('XPS 13', { brand: 'Dell', price: 700, memory: '16 GB' });
    await expect.poll(() => names({ brand: 'Dell' })).toContain('XPS 13');
    expect(await similarTo(own)).toEqual(['Latitude 7420', 'Latitude 5420', 'EliteBook 840']);
    const newer = await list('Vostro', { brand: 'Dell', price: 200, memory: '16 GB' });
    await expect
      .poll(() => similarTo(own))
      .toEqual(['Vostro', 'Latitude 7420', 'Latitude 5420', 'EliteBook 840']);
    await seller.client.call(deleteOwnLaptop, { params: { _id: newer } });
    expect(await similarTo(own)).not.toContain('Vostro');
    await expect.poll(() => similarTo(own)).toHaveLength(3);
  });

  test('of an unknown laptop are refused', async () => {
    await expect(similarTo('00000000-0000-4000-8000-000000000000')).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('words of the configuration', () => {
  test('find a laptop as its page shows them, and after a change as they are then', async () => {
    // As a laptop of the demo data.
    const description = {
      Processor: 'Intel Core i7-1165G7, 4 cores, up to 4.7 GHz',
      Graphics: 'Intel Iris Xe Graphics',
      Display: '14.0" IPS touch, 1920 × 1080, 340 nits',
      Memory: '16 GB LPDDR4X',
      Storage: '512 GB NVMe SSD',
      Notes: 'The memory is not upgradable. Two Thunderbolt ports, both tried.',
    };
    const id = await shop.laptop(seller, {
      name: 'Acer Swift 5\u200b14',
      category_Id: 'Acer',
      description,
    });
    await expect.poll(() => names({ q: '512 gb ssd' })).toEqual(['Acer Swift 5\u200b14']);
    for (const q of [
      'i7-1165g7',
      '1165g7',
      'iris xe',
      'nvme',
      'lpddr4x',
      'touch',
      '4 cores 512gb',
      'swift 514',
    ]) {
      const { total, corrected } = await search({ q });
      expect({ q, total, corrected }).toEqual({ q, total: 1, corrected: undefined });
    }
    // What a description says is found, what it denies is not.
    expect((await search({ q: 'upgradable' })).total).toBe(0);
    expect(await names({ q: 'thunderbolt' })).toEqual(['Acer Swift 5\u200b14']);
    await changeListing(seller, id, { description: { ...description, Storage: '512 GB SATA SSD' } });
    await expect.poll(() => names({ q: 'sata' })).toEqual(['Acer Swift 5\u200b14']);
    expect((await search({ q: 'nvme' })).total).toBe(0);
  });

  test('are suggested in their usual spelling', async () => {
    const { suggestions } = await shop.visitor.call(suggestSearches, { query: { q: 'sat' } });
    expect(suggestions).toEqual([{ text: 'SATA', count: 1 }]);
  });

  test('pasted characters that are not displayed are not searched', async () => {
    expect((await search({ q: '\u202axp\u200bs 13\u202c' })).total).toBe(
      (await search({ q: 'xps13' })).total,
    );
  });
});
