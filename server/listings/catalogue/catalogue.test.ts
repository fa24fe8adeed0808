import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as contract from '#contract/listings/catalogue.ts';
import { wish } from '#contract/listings/wishlist.ts';
import { book, cancelBooking, listBookings } from '#contract/sales/bookings.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { everyPage } from '#tests/harness/platform/every-page.ts';
import { sellLaptop } from '#tests/harness/sales/sold-laptop.ts';

let shop: TestShop;
let seller: Person;
beforeAll(async () => {
  shop = await startTestShop();
  seller = await shop.seller('Sofia Marques');
});
afterAll(() => shop.close());

const shelf = (id: string, client = shop.visitor) =>
  client.call(contract.listCategory, { params: { id }, query: {} });
/** One of the shop's own photos, told from others by a hexadecimal digit. */
const photoUrl = (digit: string) =>
  `${shop.origin}/photos/${digit.repeat(64)}-1280x960-${'0'.repeat(36)}/1280.webp`;
const own = (client = seller.client) => client.call(contract.listOwnLaptops, { query: {} });

describe('brands', () => {
  test('are rows: a fourth needs no code', async () => {
    const names = async () =>
      (await shop.visitor.call(contract.listBrands, {})).map(({ category_Id }) => category_Id);
    expect(await names()).toEqual(['HP', 'Dell', 'Acer']);
    await shop.connection.database
      .insertInto('brands')
      .values({ category_id: 'Lenovo', skeleton: 'lenovo', image: '/brands/lenovo.svg', position: 4 })
      .execute();
    // The answer is kept as bytes; the database tells that it has changed.
    await expect.poll(names).toEqual(['HP', 'Dell', 'Acer', 'Lenovo']);
    await expect(shelf('Lenovo')).resolves.toEqual([]);
    await expect(shelf('Amstrad')).rejects.toMatchObject({ status: 404 });
  });
});

describe('listing a laptop', () => {
  test('adds it to its brand’s list immediately, with the seller’s name from the database', async () => {
    const other = {
      sellers_name: 'Somebody Else',
      seller_email: 'else@people.example',
      sellerVerified: true,
      paid: true,
    };
    const id = await shop.laptop(seller, { category_Id: 'Acer', name: 'Swift 3', ...other });
    const [listed] = await shelf('Acer', seller.client);
    expect(listed).toMatchObject({
      _id: id,
      name: 'Swift 3',
      resale_price: 549.99,
      sellers_name: 'Sofia Marques',
      seller_email: seller.email,
      mobile_number: '+351 912 345 678',
      sellerVerified: false,
      paid: false,
      advertisement: false,
      description: { Processor: 'Intel Core i5-1145G7' },
    });
  });

  test('shows visitors all fields except the seller’s contact', async () => {
    await shop.laptop(seller);
    const [listed] = await shelf('HP');
    expect(listed).toMatchObject({ sellers_name: 'Sofia Marques' });
    expect(listed).not.toHaveProperty('mobile_number');
    expect(listed).not.toHaveProperty('seller_email');
  });

  test('stores all photos in the seller’s order, the first one as the image', async () => {
    const images = ['c', 'a', 'b'].map(photoUrl);
    const id = await shop.laptop(seller, { category_Id: 'Acer', image: photoUrl('c'), images });
    const [onTheShelf] = await shelf('Acer');
    expect(onTheShelf).toMatchObject({ _id: id, image: photoUrl('c'), images });
    const mine = (await own()).find(({ _id }) => _id === id);
    expect(mine).toMatchObject({ image: photoUrl('c'), images });
    const { images: stored } = await shop.connection.database
      .selectFrom('laptops')
      .select('images')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(stored).toEqual(images.map((url) => url.slice(shop.origin.length)));
  });

  test('returns a single photo both as image and in images', async () => {
    await shop.laptop(seller, { category_Id: 'Acer', image: photoUrl('d') });
    const [onTheShelf] = await shelf('Acer');
    expect(onTheShelf).toMatchObject({ image: photoUrl('d'), images: [photoUrl('d')] });
  });

  test.each<[field: string, overrides: Record<string, unknown>, sentence: string]>([
    ['name', { name: '  ' }, 'Product Name is required'],
    ['original_price', { original_price: undefined }, 'Original Price is required'],
    ['resale_price', { resale_price: -5 }, 'A price must be more than $0'],
    [
      'resale_price',
      { resale_price: 0.49 },
      'The Resale Price must be at least $0.50, the least that a card can be charged',
    ],
    ['resale_price', { resale_price: 2000 }, 'The Resale Price cannot be above the Original Price'],
    ['original_price', { original_price: 999_999_999 }, 'A price can be at most $50,000.00'],
    ['use_time', { use_time: '' }, 'Use time is required'],
    ['location', { location: '' }, 'Location is required'],
    ['mobile_number', { mobile_number: '' }, 'Mobile Number is required'],
    ['image', { image: '' }, 'Product photo is required'],
    ['image', { image: 'https://elsewhere.example/photos/x.webp' }, 'Please upload the photo'],
    ['images', { images: [] }, 'Product photo is required'],
    ['images', { images: 'a.webp' }, 'Photos are a list of URLs'],
    ['images', { images: ['b'] }, 'The first of the photos must be the one in image'],
    ['images', { images: [...'abcdef012'] }, 'A laptop can have up to 8 photos'],
    ['images', { images: [...'aba'] }, 'Each photo can be listed only once'],
    ['images.1', { images: ['a', 'https://elsewhere.example/photos/x.webp'] }, 'Please upload the photo'],
    ['images.1', { images: ['a', ''] }, 'Product photo is required'],
    ['description', { description: '' }, 'Product description is required'],
    ['description', { description: { Processor: '' } }, 'Product description is required'],
    ['category_Id', { category_Id: 'Amstrad' }, 'Choose one of the brands'],
    ['condition', { condition: 'Mint' }, 'Choose Excellent, Good or Fair'],
  ])(
    'reports an invalid %s at its field, and stores nothing',
    async (field, { images, ...overrides }, sentence) => {
      const before = (await own()).length;
      const response = await fetch(`${shop.origin}/api/laptops`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${seller.token}` },
        body: JSON.stringify({
          category_Id: 'HP',
          name: 'ProBook 450',
          location: 'Porto',
          image: photoUrl('a'),
          // One letter stands for a photo of this shop.
          images: Array.isArray(images)
            ? images.map((url) => (url.length === 1 ? photoUrl(url) : url))
            : images,
          description: 'Works.',
          original_price: 900,
          resale_price: 300,
          use_time: '3 years',
          mobile_number: '912345678',
          condition: 'Good',
          ...overrides,
        }),
      });
      expect(response.status).toBe(422);
      const problem: { errors: Record<string, string> } = await response.json();
      expect(problem.errors[field]).toContain(sentence);
      expect(await own()).toHaveLength(before);
    },
  );
});

describe('lists', () => {
  test('are paged with the cursor in the Link header, without missing or repeated rows', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1)
      ids.unshift(await shop.laptop(seller, { category_Id: 'Dell' }));
    const seen = await everyPage((from) =>
      shop.visitor.page(contract.listCategory, { params: { id: 'Dell' }, query: { limit: 2, ...from } }),
    );
    expect(seen.map(({ _id }) => _id)).toEqual(ids);
  });

  test('answer 304 while unchanged, and 200 after a change', async () => {
    const url = `${shop.origin}/api/category/HP?limit=3`;
    const first = await fetch(url);
    const etag = first.headers.get('etag') ?? '';
    // A proxy that compresses hands on a weak tag in place of the strong one.
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await fetch(url, { headers: { 'if-none-match': known } });
      expect(again.status, known).toBe(304);
    }
    await shop.laptop(seller);
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  test('contain changes made by another process', async () => {
    const id = await shop.laptop(seller);
    const ids = async () => (await shelf('HP')).map(({ _id }) => _id);
    expect(await ids()).toContain(id);
    await shop.connection.database
      .updateTable('laptops')
      .set({ state: 'withdrawn' })
      .where('id', '=', id)
      .execute();
    await expect.poll(ids).not.toContain(id);
  });
});

describe('one laptop', () => {
  const read = (client: Person['client'], _id: string) =>
    client.call(contract.readLaptop, { params: { _id } });

  test('is readable by anyone, and includes the seller’s contact for signed-in users', async () => {
    const [id, buyer] = [await shop.laptop(seller, { name: 'Single' }), await shop.buyer()];
    const seen = await read(shop.visitor, id);
    expect(seen).toMatchObject({ _id: id, name: 'Single', paid: false });
    expect(seen).not.toHaveProperty('mobile_number');
    expect(await read(buyer.client, id)).toHaveProperty('mobile_number');
  });

  test('tells a person what they may do with it and have done about it', async () => {
    const [id, buyer, admin] = [await shop.laptop(seller), await shop.buyer(), await shop.admin()];
    const part = ({ client }: Person) => client.call(contract.readViewerStatus, { params: { _id: id } });
    const roles = [seller, buyer, await shop.seller(), admin].map(
      async (person) => (await part(person)).role,
    );
    expect(await Promise.all(roles)).toEqual(['owner', 'buyer', 'seller', 'admin']);
    expect(await part(buyer)).toMatchObject({
      booking: null,
      wished: false,
      mobile_number: '+351 912 345 678',
    });
    await buyer.client.call(wish, { body: { productCode: id } });
    const { insertedId: _id } = await buyer.client.call(book, {
      body: {
        productCode: id,
        price: (await part(buyer)).resale_price,
        phone: '+351 912 345 678',
        location: 'Porto',
      },
    });
    expect(await part(buyer)).toMatchObject({ booking: { _id, isUnpaid: true }, wished: true });
    expect(await part(await shop.buyer())).toMatchObject({ booking: null, wished: false });
    await buyer.client.call(cancelBooking, { params: { _id: _id ?? '' } });
    expect(await part(buyer)).toMatchObject({ booking: null });
  });

  test('that was sold is shown as sold for 90 days; one that left the shop is refused with the reason', async () => {
    const id = await shop.laptop(seller, { name: 'Left' });
    const become = (state: object) =>
      shop.connection.database.updateTable('laptops').set(state).where('id', '=', id).execute();
    await sellLaptop(shop, { seller, laptopId: id });
    expect(await read(shop.visitor, id)).toMatchObject({ paid: true, sold_at: expect.any(String) });
    await become({ state_since: new Date(Date.now() - 91 * 86_400_000) });
    await expect(read(shop.visitor, id)).rejects.toMatchObject({
      status: 410,
      message: 'Left has been sold.',
    });
    await become({ state: 'withdrawn', sold_order_id: null });
    await expect(read(shop.visitor, id)).rejects.toMatchObject({
      status: 410,
      message: 'This laptop has left the shop unsold.',
    });
    await expect(read(shop.visitor, seller.userId)).rejects.toMatchObject({ status: 404 });
  });

  test('has the lowest price of the last 30 days', async () => {
    const id = await shop.laptop(seller, { original_price: 900, resale_price: 500 });
    const query = (text: string) => shop.connection.pool.query(text, [id]);
    const reprice = async (cents: number, daysAgo: number) => {
      await shop.connection.pool.query('update laptops set resale_price_cents = $2 where id = $1', [
        id,
        cents,
      ]);
      await query(
        `update laptop_prices set since = now() - interval '${daysAgo} days' where laptop_id = $1 and since > now() - interval '1 minute'`,
      );
    };
    await query(`update laptop_prices set since = now() - interval '50 days' where laptop_id = $1`);
    await reprice(40_000, 40);
    await reprice(45_000, 35);
    await reprice(60_000, 5);
    // $400 was replaced before these 30 days, $450 applied until 5 days ago.
    expect(await read(shop.visitor, id)).toMatchObject({ resale_price: 600, lowest_price: 450 });
  });
});

describe('advertising', () => {
  test('adds an unsold laptop to the advertisements once', async () => {
    const id = await shop.laptop(seller);
    const advertise = () => seller.client.call(contract.advertiseLaptop, { params: { _id: id } });
    await expect(advertise()).resolves.toMatchObject({ modifiedCount: 1 });
    await expect(advertise()).resolves.toMatchObject({ modifiedCount: 0 });
    const advertised = await shop.visitor.call(contract.listAdvertisements, { query: {} });
    expect(advertised.map(({ _id }) => _id)).toContain(id);
    expect((await own()).find(({ _id }) => _id === id)).toMatchObject({
      advertisement: true,
      actions: ['edit', 'delete'],
    });
  });
});

describe('deleting one’s own laptop', () => {
  test('removes it from all lists and cancels its bookings', async () => {
    const buyer = await shop.buyer();
    const id = await shop.laptop(seller);
    await shop.booking(buyer, id);
    const remove = () => seller.client.call(contract.deleteOwnLaptop, { params: { _id: id } });
    await expect(remove()).resolves.toMatchObject({ deletedCount: 1 });
    // A retry after a lost answer must not look like a failure.
    await expect(remove()).resolves.toMatchObject({ deletedCount: 0 });
    await expect(seller.client.call(contract.advertiseLaptop, { params: { _id: id } })).rejects.toMatchObject(
      { status: 404 },
    );
    expect((await own()).map(({ _id }) => _id)).not.toContain(id);
    expect((await shelf('HP')).map(({ _id }) => _id)).not.toContain(id);
    await expect(buyer.client.call(listBookings, { query: {} })).resolves.toMatchObject([
      { state: 'Cancelled' },
    ]);
  });

  test('is possible for its owner only; others get 404', async () => {
    const [id, stranger] = [await shop.laptop(seller), await shop.seller()];
    for (const endpoint of [contract.deleteOwnLaptop, contract.advertiseLaptop]) {
      await expect(stranger.client.call(endpoint, { params: { _id: id } })).rejects.toMatchObject({
        status: 404,
      });
    }
    expect((await own()).map(({ _id }) => _id)).toContain(id);
  });

  test('is refused after the sale, like advertising', async () => {
    const id = await shop.laptop(seller);
    await sellLaptop(shop, { seller, laptopId: id });
    for (const endpoint of [contract.deleteOwnLaptop, contract.advertiseLaptop]) {
      await expect(seller.client.call(endpoint, { params: { _id: id } })).rejects.toMatchObject({
        code: 'already_sold',
      });
    }
  });
});

test('the list of another user is refused, not replaced by the caller’s own', async () => {
  const stranger = await shop.seller();
  await expect(
    stranger.client.call(contract.listOwnLaptops, { query: { email: seller.email } }),
  ).rejects.toMatchObject({ status: 403 });
});
