// Migrations that change rows, each tested from the version before it.
import pg from 'pg';
import { expect, test } from 'vitest';
import { migrateTo, migrateToLatest } from '#server/database/migrate.ts';
import { createTestDatabase } from '#tests/harness/postgres.ts';

test('records the photos of laptops listed before the photos table existed, under any origin of the shop', async () => {
  const database = await createTestDatabase({ template: 'template0' });
  await migrateTo(database.url, '0007-ended-sessions');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const hash = (digit: string) => digit.repeat(64);
  const path = (digit: string) => `/photos/${hash(digit)}-1280x960-${'0'.repeat(36)}/1280.webp`;
  // As the previous version lists a laptop.
  const list = (name: string, images: string[]) =>
    client.query(
      `insert into laptops (brand, seller_id, name, location, images, description, original_price_cents,
           resale_price_cents, posted_time, use_time, mobile_number, condition)
       select 'HP', id, $1, 'Lisbon', $2, '"text"', 90000, 54999, '', '', '', 'Good' from users`,
      [name, images],
    );
  const shown = async () => {
    const { rows } = await client.query<{ name: string; position: number; digit: string }>(
      `select name, position, left(photo_hash, 1) as digit
         from laptop_photos join laptops on laptops.id = laptop_id order by name, position`,
    );
    return rows.map(({ name, position, digit }) => `${name} ${position} ${digit}`);
  };
  try {
    await client.query(`insert into users (email, name, role) values ('s@people.example', 'S', 'Seller')`);
    await client.query(`insert into photos (hash, state) values ($1, 'listed'), ($2, 'waiting')`, [
      hash('a'),
      hash('d'),
    ]);
    await list('A', [path('a'), '/brands/hp.svg', path('b')]);
    await list('B', [`https://earlier.example${path('c')}`, 'https://img.example/x.png']);
    await migrateToLatest(database.url);
    expect(await shown()).toEqual(['A 1 a', 'A 3 b', 'B 1 c']);
    const { rows } = await client.query('select left(hash, 1) as digit, state from photos order by 1');
    expect(rows).toEqual([
      { digit: 'a', state: 'listed' },
      { digit: 'b', state: 'listed' },
      { digit: 'c', state: 'listed' },
      { digit: 'd', state: 'waiting' },
    ]);

    // The previous version may still be running.
    await list('C', [path('d')]);
    await client.query(
      `update laptops set images = array[brands.image] from brands where laptops.name = 'A'`,
    );
    expect(await shown()).toEqual(['B 1 c', 'C 1 d']);
  } finally {
    await client.end();
    await database.drop();
  }
});

test('schedules a check for old refunds that are pending, and none for those that are done', async () => {
  const database = await createTestDatabase({ template: 'template0' });
  await migrateTo(database.url, '0005-photos');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    // Without the referenced bookings, which do not matter here.
    await client.query('set session_replication_role = replica');
    await client.query(
      `insert into refunds (booking_id, transaction_id, amount_cents, reason, state, done_at)
       values (gen_random_uuid(), 'pi_done', 100, 'paid_twice', 'done', now()),
              (gen_random_uuid(), 'pi_pending', 100, 'paid_twice', 'pending', null)`,
    );
    await migrateToLatest(database.url);
    const { rows } = await client.query(
      `select transaction_id as id, state, attempt, next_check_at is not null as due from refunds order by 1`,
    );
    expect(rows).toEqual([
      { id: 'pi_done', state: 'done', attempt: 1, due: false },
      { id: 'pi_pending', state: 'pending', attempt: 1, due: true },
    ]);
    // The previous version may still be running and does not know the new columns.
    await client.query(
      `update refunds set state = 'done', done_at = now() where transaction_id = 'pi_pending' and state = 'pending'`,
    );
  } finally {
    await client.end();
    await database.drop();
  }
});

test('takes down laptops below the minimum price with a note to the seller', async () => {
  const database = await createTestDatabase({ template: 'template0' });
  await migrateTo(database.url, '0007-ended-sessions');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(
      `with seller as (
         insert into users (email, name, role) values ('sam@people.example', 'Sam', 'Seller') returning id
       )
       insert into laptops (brand, seller_id, name, location, images, description, original_price_cents,
                            resale_price_cents, posted_time, use_time, mobile_number, condition)
       select 'HP', id, 'For ' || cents, 'Lisbon', '{/brands/hp.svg}', '"Works."', 5000, cents, '', '', '', 'Good'
         from seller, unnest(array[49, 50]) cents`,
    );
    await migrateToLatest(database.url);
    const { rows } = await client.query(
      'select name, state, taken_down_note as note from laptops order by resale_price_cents',
    );
    expect(rows).toEqual([
      { name: 'For 49', state: 'taken_down', note: expect.stringContaining('below $0.50') },
      { name: 'For 50', state: 'available', note: null },
    ]);
  } finally {
    await client.end();
    await database.drop();
  }
});

test('lowers agreed prices to the laptop’s price, before and after the previous version has stopped', async () => {
  const database = await createTestDatabase({ template: 'template0' });
  await migrateTo(database.url, '0063-reviews');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  /** Adds a laptop, and a booking of it as the previous version has it. Prices in dollars. */
  const book = (name: string, laptop: number, agreed: number, told: number | null) =>
    client.query(
      `with listed as (
         insert into laptops (brand, seller_id, name, location, images, description, original_price_cents,
                              resale_price_cents, posted_time, use_time, mobile_number, condition)
         select 'HP', id, $1, 'Lisbon', '{/brands/hp.svg}', '"Works."', 200000, $2 * 100, '', '', '', 'Good'
           from users where role = 'Seller' returning id
       )
       insert into bookings (laptop_id, buyer_id, price_cents, told_price_cents, phone, location)
       select listed.id, users.id, $3 * 100, $4 * 100, '', '' from listed, users where role = 'Buyer'`,
      [name, laptop, agreed, told],
    );
  const bookings = async () => {
    const { rows } = await client.query(
      `select name, price_cents / 100 as agreed, told_price_cents / 100 as told, told_agreed_cents / 100 as told_agreed
         from bookings join laptops on laptops.id = laptop_id order by name`,
    );
    return rows;
  };
  try {
    await client.query(
      `insert into users (email, name, role) values ('s@people.example', 'S', 'Seller'), ('b@people.example', 'B', 'Buyer')`,
    );
    await book('Lowered, not told yet', 849, 949, null);
    await book('Lowered, told', 849, 949, 849);
    await book('Lowered, told, raised, not told yet', 929, 949, 849);
    await book('Lowered, told, raised, told as payable', 929, 949, 929);
    await book('Raised, told', 999, 949, 999);
    await book('Unchanged', 949, 949, null);
    await migrateToLatest(database.url);
    expect(await bookings()).toEqual([
      { name: 'Lowered, not told yet', agreed: 849, told: 949, told_agreed: 949 },
      { name: 'Lowered, told', agreed: 849, told: 849, told_agreed: 849 },
      { name: 'Lowered, told, raised, not told yet', agreed: 849, told: 849, told_agreed: 849 },
      { name: 'Lowered, told, raised, told as payable', agreed: 929, told: 929, told_agreed: 929 },
      { name: 'Raised, told', agreed: 949, told: 999, told_agreed: 949 },
      { name: 'Unchanged', agreed: 949, told: null, told_agreed: null },
    ]);

    // The previous version may still be running. It changes prices, and asks for an agreement by the two prices.
    const setPrice = (name: string, price: number) =>
      client.query('update laptops set resale_price_cents = $2 * 100 where name = $1', [name, price]);
    await setPrice('Unchanged', 849);
    await setPrice('Unchanged', 929);
    await setPrice('Raised, told', 979);
    const [raised, unchanged] = (await bookings()).slice(-2);
    expect(raised).toMatchObject({ agreed: 949, told: 999 });
    expect(unchanged).toMatchObject({ agreed: 849, told: 949, told_agreed: 949 });
  } finally {
    await client.end();
    await database.drop();
  }
});

test('ends what was measured of a laptop that a buyer had sent back, and remembers locks by machine', async () => {
  const database = await createTestDatabase({ template: 'template0' });
  await migrateTo(database.url, '0085-goodwill-of-disputed-orders');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const machine = (state: string) =>
    JSON.stringify({
      battery: null,
      locks: {
        firmwarePassword: state,
        absolute: 'unknown',
        management: 'unknown',
        activationLock: 'unknown',
      },
    });
  const measure = (laptop: string, hash: string, state: string, ageDays: number) =>
    client.query(
      `insert into measurements (laptop_id, measured_with, machine, machine_hash, part_hashes, measured_at)
       select id, 'linux', $2, repeat($3, 64), array[repeat('f', 64)], now() - $4 * interval '1 day' from laptops where name = $1`,
      [laptop, machine(state), hash, ageDays],
    );
  /** An order that ended yesterday with the laptop at its seller, and the kind of its complaint. */
  const sendBack = (laptop: string, kind: string) =>
    client.query(
      `with booking as (
         insert into bookings (laptop_id, buyer_id, seller_id, price_cents, phone, location, ended_at)
         select laptops.id, users.id, laptops.seller_id, 50000, '', '', now() from laptops, users where laptops.name = $1 and role = 'Buyer'
         returning id, laptop_id, buyer_id
       ), sale as (
         insert into orders (booking_id, laptop_id, buyer_id, seller_id, transaction_id, price_cents, commission_cents, state,
                             state_since, refunded_cents, handover_code)
         select booking.id, laptop_id, buyer_id, seller_id, $1, 50000, 0, 'refunded', now() - interval '1 day', 50000, '123456'
           from booking join laptops on laptops.id = laptop_id
         returning id
       )
       insert into complaints (order_id, nth, kind) select id, 1, $2 from sale`,
      [laptop, kind],
    );
  try {
    await client.query(
      `insert into users (email, name, role) values ('s@people.example', 'S', 'Seller'), ('b@people.example', 'B', 'Buyer')`,
    );
    // The payments and postings of these orders are not part of this test.
    await client.query('set session_replication_role = replica');
    for (const name of ['broken', 'not met', 'measured since']) {
      await client.query(
        `insert into laptops (brand, seller_id, name, location, images, description, original_price_cents, resale_price_cents,
                              posted_time, use_time, mobile_number, condition, state, level, level_at)
         select 'HP', id, $1, 'Lisbon', '{/brands/hp.svg}', '"Works."', 200000, 50000, '', '', '', 'Good', 'withdrawn', 'measured',
                now() - case when $1 = 'measured since' then interval '1 hour' else interval '9 days' end
           from users where role = 'Seller'`,
        [name],
      );
    }
    await sendBack('broken', 'does_not_work');
    await sendBack('not met', 'not_handed_over');
    await sendBack('measured since', 'not_as_described');
    await measure('broken', 'a', 'locked', 9);
    await measure('not met', 'b', 'locked', 9);
    await measure('not met', 'b', 'not_found', 8);
    await client.query('set session_replication_role = origin');

    await migrateToLatest(database.url);
    const { rows } = await client.query(
      'select name, level, evidence_ended as ended from laptops order by name',
    );
    expect(rows).toEqual([
      { name: 'broken', level: 'word', ended: 'returned' },
      { name: 'measured since', level: 'measured', ended: 'returned' },
      { name: 'not met', level: 'measured', ended: null },
    ]);
    const { rows: locks } = await client.query('select identity_hash, lock from found_locks');
    expect(locks).toEqual([{ identity_hash: 'a'.repeat(64), lock: 'firmwarePassword' }]);
  } finally {
    await client.end();
    await database.drop();
  }
});

test('memory that earlier releases rounded is the sum of its modules, or a lower bound', async () => {
  const database = await createTestDatabase({ template: 'template0' });
  await migrateTo(database.url, '0085-goodwill-of-disputed-orders');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    // Without the referenced laptop and seller, which do not matter here.
    await client.query('set session_replication_role = replica');
    const module = (gigabytes: number) => ({ gigabytes, kind: null, speed: null });
    const measure = (memory: object | null, modules: number[] = []) =>
      client.query(
        `insert into measurements (laptop_id, measured_with, machine) values (gen_random_uuid(), 'macos', $1)`,
        [
          JSON.stringify({
            memory,
            memoryModules: modules.length === 0 ? null : { value: modules.map(module), source: 'system' },
          }),
        ],
      );
    await measure({ value: 20, source: 'system' }, [18]);
    await measure({ value: 8, source: 'system' }, [4, 4]);
    await measure({ value: 16, source: 'system' });
    await measure({ value: 2, source: 'system' });
    await measure({ value: 16, source: 'firmware' }, [8, 8]);
    await measure(null);
    await client.query(
      `insert into laptop_drafts (seller_id, expires_at, measured_at, measured_with, machine)
       values (gen_random_uuid(), now(), now(), 'linux', '{"memory": {"value": 12, "source": "system"}}')`,
    );
    await migrateToLatest(database.url);
    const { rows } = await client.query(
      `select machine->'memory' as memory from measurements order by number`,
    );
    expect(rows.map(({ memory }) => memory)).toEqual([
      { value: 18, source: 'system' },
      { value: 8, source: 'system' },
      { atLeast: 13, source: 'system' },
      { atLeast: 1, source: 'system' },
      { value: 16, source: 'firmware' },
      null,
    ]);
    const drafts = await client.query(`select machine->'memory' as memory from laptop_drafts`);
    expect(drafts.rows).toEqual([{ memory: { atLeast: 9, source: 'system' } }]);
    await expect(measure({ value: 16, atLeast: 16, source: 'system' })).rejects.toThrow(
      /memory_is_value_or_bound/,
    );
  } finally {
    await client.end();
    await database.drop();
  }
});

test('older inspections become ones from photos, without what they cannot have been based on', async () => {
  const database = await createTestDatabase({ template: 'template0' });
  await migrateTo(database.url, '0085-goodwill-of-disputed-orders');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const oldChecklist = {
    photos: 'met',
    marks: 'met',
    body: 'met',
    screen: 'met',
    keyboard: 'met',
    price: 'met',
  };
  /** Adds an inspected laptop as an earlier version has it. */
  const inspect = async (name: string, kinds: readonly string[], tests: readonly string[]) => {
    const images = kinds.map((kind) => `/brands/hp.svg?${kind}`);
    const photoKinds = Object.fromEntries(kinds.map((kind) => [`/brands/hp.svg?${kind}`, kind]));
    const results = tests.map((test) => ({ name: test, outcome: 'passed', note: null }));
    await client.query(
      `with listed as (
         insert into laptops (brand, seller_id, name, location, images, photo_kinds, description, original_price_cents,
                              resale_price_cents, posted_time, use_time, mobile_number, condition, level, level_at)
         select 'HP', id, $1, 'Lisbon', $2, $3, '"text"', 200000, 90000, '', '', '', 'Good', 'inspected', now()
           from users where role = 'Seller' returning id
       ),
       measured as (
         insert into measurements (laptop_id, measured_with, machine, part_hashes)
         select id, 'linux', '{}', '{}' from listed returning id, laptop_id
       ),
       checked as (
         insert into browser_checks (laptop_id, code_sha256, results, browser, checked_at)
         select id, encode(sha256($1::bytea), 'hex'), $4, '{}', now() - interval '1 hour' from listed
          where jsonb_array_length($4) > 0
       )
       insert into inspections (laptop_id, measurement_id, decision, laptop_version, listing, grade, checklist, note)
       select laptop_id, id, 'approved', 1, '{}', 'Good', $5, '' from measured`,
      [name, images, photoKinds, JSON.stringify(results), oldChecklist],
    );
  };
  try {
    await client.query(`insert into users (email, name, role) values ('s@people.example', 'S', 'Seller')`);
    await inspect('Bare', ['on'], []);
    await inspect('Shown', ['slip', 'lid', 'on', 'ports', 'underside'], ['keyboard', 'deadPixels']);
    await client.query('delete from laptops_to_match; delete from certificates_to_renew');
    await migrateToLatest(database.url);
    const { rows } = await client.query(
      `select name, level, kind, (select array_agg(key order by key) from jsonb_each_text(checklist) where value = 'met') as met,
              (select count(*)::int from jsonb_object_keys(checklist)) as items,
              exists (select from certificates_to_renew where laptop_id = laptops.id) as renewed
         from laptops join inspections on laptop_id = laptops.id order by name`,
    );
    const common = { level: 'inspected_photos', kind: 'photos', items: 10, renewed: true };
    expect(rows).toEqual([
      { name: 'Bare', met: ['marks', 'photos', 'price'], ...common },
      {
        name: 'Shown',
        met: ['body', 'keyboard', 'marks', 'photos', 'price', 'screen', 'slip'],
        ...common,
      },
    ]);
    // Nobody with a saved search for inspected laptops is told.
    const { rows: noted } = await client.query('select before from laptops_to_match');
    expect(noted.map(({ before }) => before.level)).toEqual(['inspected_photos', 'inspected_photos']);
    await expect(client.query(`update inspections set note = 'Other'`)).rejects.toThrow('never changed');
  } finally {
    await client.end();
    await database.drop();
  }
});

test('a change that waits to be matched with saved searches has the configuration that the laptop had', async () => {
  const database = await createTestDatabase({ template: 'template0' });
  await migrateTo(database.url, '0092-audited-reads');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(`insert into users (email, name, role) values ('s@people.example', 'S', 'Seller')`);
    await client.query(
      `insert into laptops (brand, seller_id, name, location, images, description, original_price_cents, resale_price_cents,
                            posted_time, use_time, mobile_number, condition)
       select 'HP', id, 'A', 'Lisbon', '{/brands/hp.svg}', '{"Storage": "512 GB", "Processor": "i7", "Notes": "as new"}', 200000,
              50000, '', '', '', 'Good' from users`,
    );
    await client.query('delete from laptops_to_match');
    await client.query('update laptops set resale_price_cents = 40000');
    await migrateToLatest(database.url);
    const { rows } = await client.query(
      `select before->>'configuration' as before, searched_facts(laptops, false)->>'configuration' as now
         from laptops_to_match join laptops on laptops.id = laptop_id`,
    );
    expect(rows).toEqual([{ before: 'i7 / 512 GB', now: 'i7 / 512 GB' }]);
  } finally {
    await client.end();
    await database.drop();
  }
});
