import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addBrand, changeBrand, listShopBrands, mergeBrand, orderBrands } from '#contract/listings/brands.ts';
import {
  deleteOwnLaptop,
  listBrands,
  listCategory,
  listLaptop,
  readBrand,
  readLaptop,
  readOwnLaptop,
  relistLaptop,
} from '#contract/listings/catalogue.ts';
import { PhotoUploaded } from '#contract/listings/photos.ts';
import { changeSavedSearch, listSavedSearches, saveSearch } from '#contract/listings/saved-searches.ts';
import { searchLaptops } from '#contract/listings/search.ts';
import { listAuditTrail } from '#contract/people/audit.ts';
import { changeListing } from '#tests/harness/listings/change-listing.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { sampleLaptop } from '#tests/harness/people/person.ts';

const KEY = 'key of the test';

let shop: TestShop;
let admin: Person;
let seller: Person;
beforeAll(async () => {
  shop = await startTestShop({ photoKey: KEY });
  [admin, seller] = await Promise.all([shop.admin(), shop.seller()]);
});
afterAll(() => shop.close());

const names = async () => (await shop.visitor.call(listBrands, {})).map(({ category_Id }) => category_Id);
const all = () => admin.client.call(listShopBrands, {});
const find = async (name: string) => {
  const brand = (await all()).find(({ category_Id }) => category_Id === name);
  if (brand === undefined) throw new Error(`There is no brand ${name}.`);
  return brand;
};
const add = async (name: string, image?: string) =>
  (await admin.client.call(addBrand, { body: { name, ...(image !== undefined && { image }) } })).insertedId;
const change = async (name: string, body: { name?: string; image?: string | null; hidden?: boolean }) => {
  const { _id, hidden } = await find(name);
  return admin.client.call(changeBrand, { params: { _id }, body: { name, hidden, ...body } });
};
const merge = async (from: string, into: string) =>
  admin.client.call(mergeBrand, {
    params: { _id: (await find(from))._id },
    body: { into: (await find(into))._id },
  });
const shelf = async (id: string) =>
  (await shop.visitor.call(listCategory, { params: { id }, query: {} })).map(({ _id }) => _id);
const found = async (brand: string) =>
  (await shop.visitor.call(searchLaptops, { query: { brand } })).laptops.map(({ _id }) => _id);
const lastEntry = async () => {
  const [entry] = await admin.client.call(listAuditTrail, { query: { limit: 1 } });
  return entry && { act: entry.act, subject: entry.subject, note: entry.note };
};

async function upload(red: number): Promise<string> {
  const background = { r: red, g: 40, b: 60 };
  const photo = await sharp({ create: { width: 64, height: 48, channels: 3, background } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.append('image', new File([new Uint8Array(photo)], 'logo.png', { type: 'image/png' }));
  const response = await fetch(`${shop.origin}/photos?key=${encodeURIComponent(KEY)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}` },
    body: form,
  });
  return PhotoUploaded.parse(await response.json()).data.url;
}

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
}

describe('a new brand', () => {
  test('is the last one at once, takes laptops, and shows its initial without a logo', async () => {
    expect(await names()).toEqual(['HP', 'Dell', 'Acer']);
    await add('Lenovo');
    expect(await names()).toEqual(['HP', 'Dell', 'Acer', 'Lenovo']);
    const laptop = await shop.laptop(seller, { category_Id: 'Lenovo' });
    expect(await shelf('Lenovo')).toEqual([laptop]);
    const { image, hasLogo, forSale } = await find('Lenovo');
    expect(decodeURIComponent(image)).toContain('>L</text>');
    expect([hasLogo, forSale]).toEqual([false, 1]);
    expect(await lastEntry()).toEqual({ act: 'Added brand', subject: 'Lenovo', note: '' });
  });

  test.each(['hp', 'H.P.', 'ΗР', 'Le novo', 'LENOV0', 'DeIl'])('%s looks like another one', async (name) => {
    await expect(add(name)).rejects.toMatchObject({
      status: 422,
      errors: { name: expect.stringMatching(/this name looks like it/) },
    });
  });

  test.each(['', '..', 'a/b', 'a%2fb', '<b>', `${'x'.repeat(61)}`])('cannot be called “%s”', async (name) => {
    await expect(add(name)).rejects.toMatchObject({ status: 422, errors: { name: expect.any(String) } });
  });

  test('is not the hundred and first', async () => {
    const { database } = shop.connection;
    const present = (await all()).length;
    const more = Array.from({ length: 100 - present }, (_, at) => ({
      category_id: `Brand ${at}`,
      skeleton: `brand ${at}`,
      position: 1_000 + at,
    }));
    await database.insertInto('brands').values(more).execute();
    await expect(add('One too many')).rejects.toMatchObject({ status: 422 });
    await database.deleteFrom('brands').where('position', '>=', 1_000).execute();
  });

  test('is not added by a seller', async () => {
    await expect(seller.client.call(addBrand, { body: { name: 'Mine' } })).rejects.toMatchObject({
      status: 403,
    });
  });
});

test('a logo is an uploaded photo, which is kept while the brand shows it', async () => {
  const [first, second] = [await upload(10), await upload(200)];
  await add('Framework', first);
  const later = new Date(Date.now() + 30 * 24 * 3_600_000);
  await shop.removeUnusedPhotos(later);
  expect([await statusOf(first), await statusOf(second)]).toEqual([200, 404]);
  const third = await upload(120);
  await change('Framework', { image: third });
  expect((await lastEntry())?.note).toBe('Logo replaced.');
  await shop.removeUnusedPhotos(later);
  expect([await statusOf(first), await statusOf(third)]).toEqual([404, 200]);
  // Left out, it stays.
  await change('Framework', { name: 'Framework Computer' });
  expect((await find('Framework Computer')).image).toBe(third);
  await change('Framework Computer', { image: null });
  await shop.removeUnusedPhotos(later);
  expect([(await find('Framework Computer')).hasLogo, await statusOf(third)]).toEqual([false, 404]);
  await expect(add('Sony', 'https://elsewhere.example/logo.png')).rejects.toMatchObject({
    status: 422,
    errors: { image: expect.any(String) },
  });
});

test('the order is changed at once, and refused when it does not name each brand once', async () => {
  const ids = (await all()).map(({ _id }) => _id);
  const reversed = ids.toReversed();
  await admin.client.call(orderBrands, { body: { ids: reversed } });
  expect((await all()).map(({ _id }) => _id)).toEqual(reversed);
  const [first = ''] = ids;
  for (const wrong of [ids.slice(1), [...ids.slice(1), ids[1] ?? ''], [...ids, first]]) {
    await expect(admin.client.call(orderBrands, { body: { ids: wrong } })).rejects.toMatchObject({
      status: 409,
      code: 'changed_elsewhere',
    });
  }
  await admin.client.call(orderBrands, { body: { ids } });
  expect((await names())[0]).toBe('HP');
});

test('a hidden brand is in no list and takes no new laptops, but its laptops stay', async () => {
  await add('Toshiba');
  const [laptop, withdrawn] = [
    await shop.laptop(seller, { category_Id: 'Toshiba' }),
    await shop.laptop(seller, { category_Id: 'Toshiba' }),
  ];
  await seller.client.call(deleteOwnLaptop, { params: { _id: withdrawn } });
  await change('Toshiba', { hidden: true });
  expect(await names()).not.toContain('Toshiba');
  expect(await shelf('Toshiba')).toEqual([laptop]);
  expect((await shop.visitor.call(readLaptop, { params: { _id: laptop } })).category_Id).toBe('Toshiba');
  await expect(
    seller.client.call(listLaptop, { body: { ...sampleLaptop(shop.origin), category_Id: 'Toshiba' } }),
  ).rejects.toMatchObject({ status: 422, errors: { category_Id: 'Choose one of the brands' } });
  await expect(
    seller.client.call(relistLaptop, { params: { _id: withdrawn }, body: {} }),
  ).rejects.toMatchObject({ message: expect.stringContaining('takes no new Toshiba laptops') });
  // Its seller can still change it.
  await changeListing(seller, laptop, { name: 'Portégé X30' });
  await change('Toshiba', { hidden: false });
  expect(await names()).toContain('Toshiba');
});

test('the last shown brand cannot be hidden', async () => {
  const shown = await names();
  for (const name of shown.slice(1)) await change(name, { hidden: true });
  await expect(change(shown[0] ?? '', { hidden: true })).rejects.toMatchObject({ status: 422 });
  for (const name of shown.slice(1)) await change(name, { hidden: false });
});

test('a renamed brand keeps its laptops, searches and addresses', async () => {
  await add('Compaq');
  const buyer = await shop.buyer();
  const save = (brand: string[], name: string) =>
    buyer.client.call(saveSearch, { body: { name, filters: { brand }, frequency: 'daily' } });
  await save(['Compaq'], 'Compaqs');
  await save(['Compaq', 'HP'], 'Both');
  const laptop = await shop.laptop(seller, { category_Id: 'Compaq' });
  await change('Compaq', { name: 'Digital' });
  expect(await lastEntry()).toEqual({
    act: 'Changed brand',
    subject: 'Digital',
    note: 'Called Compaq before.',
  });
  expect([await shelf('Digital'), await shelf('Compaq')]).toEqual([[laptop], [laptop]]);
  await expect.poll(() => found('Digital')).toEqual([laptop]);
  expect(await shop.visitor.call(readBrand, { params: { id: 'Compaq' } })).toEqual({
    category_Id: 'Digital',
    hidden: false,
  });
  const searches = await buyer.client.call(listSavedSearches, {});
  expect(searches.map(({ name, filters }) => [name, filters.brand])).toEqual([
    ['Both', ['Digital', 'HP']],
    ['Compaqs', ['Digital']],
  ]);
  // A form that was opened before sends the old name.
  const listed = await shop.laptop(seller, { category_Id: 'Compaq' });
  expect((await seller.client.call(readOwnLaptop, { params: { _id: listed } })).category_Id).toBe('Digital');
  // The name can be another brand's afterwards.
  await add('Compaq');
  expect(await shelf('Compaq')).toEqual([]);
});

test('a merged brand is gone, and its laptops, searches and addresses are the other one’s', async () => {
  await add('IBM');
  await change('IBM', { name: 'Thinkpads' });
  const buyer = await shop.buyer();
  for (const brand of [['Thinkpads'], ['Lenovo'], ['Thinkpads', 'Lenovo']]) {
    const body = { name: brand.join(), filters: { brand }, frequency: 'daily' } as const;
    await buyer.client.call(saveSearch, { body });
  }
  const before = await shelf('Lenovo');
  const laptop = await shop.laptop(seller, { category_Id: 'Thinkpads' });
  await merge('Thinkpads', 'Lenovo');
  expect(await names()).not.toContain('Thinkpads');
  const shown = [laptop, ...before];
  expect([await shelf('Lenovo'), await shelf('Thinkpads'), await shelf('IBM')]).toEqual([
    shown,
    shown,
    shown,
  ]);
  await expect.poll(() => found('Lenovo')).toEqual(shown);
  expect((await find('Lenovo')).formerNames).toEqual(['IBM', 'Thinkpads']);
  // Three searches are one now.
  const searches = await buyer.client.call(listSavedSearches, {});
  expect(searches.map(({ filters }) => filters.brand)).toEqual([['Lenovo']]);
  // A page that was opened before saves under the old names.
  const old = { name: 'Old', filters: { brand: ['Thinkpads', 'IBM'] }, frequency: 'daily' } as const;
  expect(await buyer.client.call(saveSearch, { body: old })).toMatchObject({ insertedId: searches[0]?._id });
  expect(await lastEntry()).toMatchObject({ act: 'Merged brands', subject: 'Thinkpads into Lenovo' });
  await expect(merge('Lenovo', 'Lenovo')).rejects.toMatchObject({ status: 422 });
});

test('of searches that a merge makes equal, the one with the most frequent emails stays, and tells what the others did not yet', async () => {
  await Promise.all([add('Abacus'), add('Zeta')]);
  const query = async (text: string, values: unknown[]) =>
    (await shop.connection.pool.query(text, values)).rows;
  /** The searches of one buyer: brands, frequency, and whether it is paused. Each active one has something to tell. */
  const cases = [
    ['Abacus at once', 'Zeta at once paused'],
    ['Abacus at once paused', 'Zeta daily'],
    ['Abacus daily', 'Zeta at once'],
    ['Abacus at once', 'Zeta daily'],
    ['Abacus,Dell daily', 'Dell,Zeta daily'],
    ['Abacus daily paused', 'Zeta at once paused'],
  ];
  const save = async ({ client }: Person, name: string) => {
    const [brands = '', ...words] = name.split(' ');
    const frequency = words.includes('daily') ? 'daily' : 'at once';
    const body = { name, filters: { brand: brands.split(',') }, frequency } as const;
    const { insertedId: _id } = await client.call(saveSearch, { body });
    if (words.includes('paused')) {
      await client.call(changeSavedSearch, { params: { _id }, body: { paused: true } });
    } else {
      const laptopId = await shop.laptop(seller, { category_Id: 'HP' });
      await query('insert into saved_search_news (search_id, laptop_id) values ($1, $2)', [_id, laptopId]);
      await query('insert into saved_search_told values ($1, $2, 100)', [_id, laptopId]);
    }
  };
  const buyers = await Promise.all(
    cases.map(async (searches) => {
      const buyer = await shop.buyer();
      for (const name of searches) await save(buyer, name);
      return buyer;
    }),
  );
  await merge('Abacus', 'Zeta');
  const left = await Promise.all(
    buyers.map(async ({ client }) => {
      const searches = await client.call(listSavedSearches, {});
      const ids = [searches.map(({ _id }) => _id)];
      const [row] = await query(
        `select (select count(*)::integer from saved_search_news where search_id = any ($1)) as news,
                (select count(*)::integer from saved_search_told where search_id = any ($1)) as told`,
        ids,
      );
      return [...searches.map(({ name, filters }) => `${name}: ${filters.brand}`), row];
    }),
  );
  expect(left).toEqual([
    ['Abacus at once: Zeta', { news: 1, told: 1 }],
    ['Zeta daily: Zeta', { news: 1, told: 1 }],
    ['Zeta at once: Zeta', { news: 2, told: 2 }],
    ['Abacus at once: Zeta', { news: 2, told: 2 }],
    ['Dell,Zeta daily: Dell,Zeta', { news: 2, told: 2 }],
    ['Zeta at once paused: Zeta', { news: 0, told: 0 }],
  ]);
});

test('nobody is emailed about laptops that a merge moves', async () => {
  await add('Wortmann');
  await shop.laptop(seller, { category_Id: 'Wortmann' });
  await merge('Wortmann', 'Lenovo');
  const { rows } = await shop.connection.pool.query(
    `select count(*)::integer as moved from laptops_to_match join laptops on laptops.id = laptop_id
      where before is not null and before->>'brand' <> laptops.brand`,
  );
  expect(rows).toEqual([{ moved: 0 }]);
});

test('a laptop listed while its brand is merged is the other one’s', async () => {
  await add('Medion');
  const listing = Array.from({ length: 6 }, () => shop.laptop(seller, { category_Id: 'Medion' }));
  await merge('Medion', 'Acer');
  const ids = await Promise.all(listing);
  expect(await shelf('Acer')).toEqual(expect.arrayContaining(ids));
});

test('another process follows at once', async () => {
  const { database } = shop;
  const other = await startTestShop({ database: { ...database, drop: async () => undefined } });
  try {
    const seen = async () => (await other.visitor.call(listBrands, {})).map(({ category_Id }) => category_Id);
    // From the second request on, the response is cached.
    expect(await seen()).toEqual(await names());
    expect(await seen()).toEqual(await names());
    const laptop = await shop.laptop(seller, { category_Id: 'Acer', name: 'Travelmate' });
    await add('Vaio');
    await expect.poll(seen).toContain('Vaio');
    await change('Acer', { name: 'Acer Group' });
    await expect
      .poll(async () => {
        const { facets } = await other.visitor.call(searchLaptops, { query: { q: 'Travelmate' } });
        return facets.brand.map(({ value }) => value);
      })
      .toEqual(['Acer Group']);
    expect((await other.visitor.call(readLaptop, { params: { _id: laptop } })).category_Id).toBe(
      'Acer Group',
    );
  } finally {
    await other.close();
  }
});
