import { beforeAll, expect, test } from 'vitest';
import { readOwnMeasurement } from '#contract/certification/inspections.ts';
import {
  createDraftCode,
  createLaptopDraft,
  deleteDraftMeasurement,
  deleteLaptopDraft,
  MAXIMUM_DRAFTS,
  MAXIMUM_EARLIER_MEASUREMENTS,
  readDraftMeasurement,
  submitDraftReport,
} from '#contract/certification/laptop-drafts.ts';
import { listLaptop, readOwnLaptop } from '#contract/listings/catalogue.ts';
import { deleteOwnAccount, readOwnData } from '#contract/operations/privacy.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { sampleLaptop } from '#tests/harness/people/person.ts';
import { removeExpiredDrafts } from './draft-store.ts';
import { hexDump, sampleSmbios } from './testing/linux-tree.ts';

let shop: SharedShop;
let seller: Person;
beforeAll(async () => {
  shop = await sharedShop();
  seller = await shop.seller();
});

const newDraft = async (person = seller) => (await person.client.call(createLaptopDraft, {})).insertedId;
const newCode = async (draftId: string) =>
  (await seller.client.call(createDraftCode, { params: { _id: draftId } })).code;

const reportWith = (code: string) =>
  [
    'laptop-report 1',
    `code ${code}`,
    'system linux',
    '== dmi/sys_vendor',
    '\tLENOVO',
    '== dmi/product_serial',
    '\tPF3DRFDE',
    '== smbios',
    `\t${hexDump(sampleSmbios([16_384]))}`,
    '== end',
    '',
  ].join('\n');

const post = (code: string) =>
  fetch(`${shop.origin}/measurements`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: reportWith(code),
  });

async function measuredDraft(): Promise<string> {
  const draftId = await newDraft();
  expect((await post(await newCode(draftId))).status).toBe(200);
  return draftId;
}

const readDraft = (draftId: string) => seller.client.call(readDraftMeasurement, { params: { _id: draftId } });
const list = (draftId: string, person = seller) =>
  person.client.call(listLaptop, { body: { ...sampleLaptop(shop.origin), draftId } });

async function rows(query: string): Promise<number> {
  const result = await shop.connection.pool.query<{ count: number }>(
    `select count(*)::int as count from ${query}`,
  );
  return result.rows[0]?.count ?? 0;
}

test('a draft is measured, and listing it moves the measurement to the laptop', async () => {
  const draftId = await newDraft();
  expect(await readDraft(draftId)).toMatchObject({ measurement: null });
  expect((await post(await newCode(draftId))).status).toBe(200);
  const { measurement } = await readDraft(draftId);
  expect(measurement?.machine).toMatchObject({ maker: { value: 'LENOVO' }, serial: { value: 'PF3…DE' } });
  expect(measurement?.conditions).toEqual(['Excellent', 'Good', 'Fair']);

  const { insertedId } = await list(draftId);
  const own = await seller.client.call(readOwnMeasurement, { params: { _id: insertedId } });
  expect(own.measurement).toMatchObject({
    measuredAt: measurement?.measuredAt,
    machine: measurement?.machine,
  });
  expect(await rows(`measurements where laptop_id = '${insertedId}' and machine_hash is not null`)).toBe(1);
  // As of a laptop that is measured after it was listed.
  expect(await rows(`laptops_to_compare where laptop_id = '${insertedId}'`)).toBe(1);
  expect(await rows(`certificates_to_renew where laptop_id = '${insertedId}'`)).toBe(1);
  await expect(readDraft(draftId)).rejects.toMatchObject({ code: 'not_found' });
});

test('a draft is used once, and a second listing with it is refused and keeps nothing', async () => {
  const draftId = await measuredDraft();
  const before = await rows('laptops');
  const outcomes = await Promise.allSettled([list(draftId), list(draftId)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await rows('laptops')).toBe(before + 1);
});

test.each([
  ['of another seller', measuredDraft],
  ['that does not exist', async () => crypto.randomUUID()],
])('a draft %s is refused in words, and nothing is listed or lost', async (_which, make) => {
  const draftId = await make();
  const stranger = await shop.seller();
  const before = await rows('laptops');
  const drafts = await rows(
    `measurements join laptop_drafts on laptop_drafts.id = draft_id where seller_id = '${seller.userId}'`,
  );
  await expect(list(draftId, stranger)).rejects.toMatchObject({
    code: 'invalid_input',
    errors: { draftId: expect.stringContaining('Measure the laptop again') },
  });
  expect(await rows('laptops')).toBe(before);
  expect(
    await rows(
      `measurements join laptop_drafts on laptop_drafts.id = draft_id where seller_id = '${seller.userId}'`,
    ),
  ).toBe(drafts);
});

test('a draft that was not measured is listed without a measurement', async () => {
  const { insertedId } = await list(await newDraft());
  expect(await seller.client.call(readOwnMeasurement, { params: { _id: insertedId } })).toMatchObject({
    measurement: null,
  });
});

const slipCodeOf = async (_id: string) =>
  (await seller.client.call(readOwnLaptop, { params: { _id } })).slipCode;

test.each([
  ['that was not measured', async () => {}],
  [
    'that was measured',
    async (draftId: string) => expect((await post(await newCode(draftId))).ok).toBe(true),
  ],
])('a draft %s has a code for the slip, which its laptop keeps', async (_how, prepare) => {
  const { insertedId: draftId, slipCode } = await seller.client.call(createLaptopDraft, {});
  expect(slipCode).toMatch(/^[34679ACDEFGHJKMNPQRTUVWXY]{5}$/);
  await prepare(draftId);
  expect(await readDraft(draftId)).toMatchObject({ slipCode });
  expect(await slipCodeOf((await list(draftId)).insertedId)).toBe(slipCode);
});

test('each draft has its own code for the slip', async () => {
  const drafts = await Promise.all([1, 2, 3].map(() => seller.client.call(createLaptopDraft, {})));
  expect(new Set(drafts.map(({ slipCode }) => slipCode)).size).toBe(3);
});

test('a deleted measurement leaves the draft with its code for the slip', async () => {
  const draftId = await measuredDraft();
  const { slipCode } = await readDraft(draftId);
  const remove = () => seller.client.call(deleteDraftMeasurement, { params: { _id: draftId } });
  expect(await remove()).toMatchObject({ deletedCount: 1 });
  expect(await remove()).toMatchObject({ deletedCount: 0 });
  expect(await readDraft(draftId)).toEqual({ slipCode, measurement: null, check: null });
  expect(await rows(`measurements where draft_id = '${draftId}'`)).toBe(0);
  const { insertedId } = await list(draftId);
  expect(await slipCodeOf(insertedId)).toBe(slipCode);
  expect(await rows(`measurements where laptop_id = '${insertedId}'`)).toBe(0);
});

test('deleting a measurement ends the code that could bring it back; without one the code stays', async () => {
  const draftId = await newDraft();
  const remove = () => seller.client.call(deleteDraftMeasurement, { params: { _id: draftId } });
  const code = await newCode(draftId);
  expect(await remove()).toMatchObject({ deletedCount: 0 });
  expect((await post(code)).status).toBe(200);
  const next = await newCode(draftId);
  expect(await remove()).toMatchObject({ deletedCount: 1 });
  expect((await post(next)).status).toBe(422);
});

test.each([
  [
    'used',
    async (draftId: string) => {
      const code = await newCode(draftId);
      await post(code);
      return code;
    },
  ],
  [
    'replaced',
    async (draftId: string) => {
      const code = await newCode(draftId);
      await newCode(draftId);
      return code;
    },
  ],
  [
    'expired',
    async (draftId: string) => {
      const code = await newCode(draftId);
      await shop.connection.pool.query(
        `update measurement_codes set expires_at = now() - interval '1 second' where draft_id = $1`,
        [draftId],
      );
      return code;
    },
  ],
  [
    'of a listed draft',
    async (draftId: string) => {
      const code = await newCode(draftId);
      await list(draftId);
      return code;
    },
  ],
])('a code that was %s is refused, and nothing is kept', async (_how, make) => {
  const code = await make(await newDraft());
  const before = await rows(
    `measurements join laptop_drafts on laptop_drafts.id = draft_id where seller_id = '${seller.userId}'`,
  );
  const response = await post(code);
  expect(response.status).toBe(422);
  expect(await response.text()).toMatch(/^The code of this report was used already, or has expired/);
  expect(
    await rows(
      `measurements join laptop_drafts on laptop_drafts.id = draft_id where seller_id = '${seller.userId}'`,
    ),
  ).toBe(before);
});

test('a report file is taken for its own draft only, and its code stays valid for that one', async () => {
  const draftId = await newDraft();
  const report = reportWith(await newCode(draftId));
  const upload = (_id: string) =>
    seller.client.call(submitDraftReport, { params: { _id }, body: { report } });
  await expect(upload(await newDraft())).rejects.toMatchObject({ code: 'report_refused' });
  expect(await readDraft(draftId)).toMatchObject({ measurement: null });
  await upload(draftId);
  expect((await readDraft(draftId)).measurement).not.toBeNull();
});

const countDraftsOf = ({ email }: Person) =>
  rows(`laptop_drafts join users on users.id = seller_id where email = '${email}'`);

test('a seller has at most 20 drafts: the oldest goes first', async () => {
  const person = await shop.seller();
  const first = await newDraft(person);
  for (let at = 0; at < MAXIMUM_DRAFTS; at += 1) await newDraft(person);
  expect(await rows(`laptop_drafts where id = '${first}'`)).toBe(0);
  expect(await countDraftsOf(person)).toBe(MAXIMUM_DRAFTS);
});

test('drafts that are created at the same time are all created, and the oldest go', async () => {
  const person = await shop.seller();
  await Promise.all(Array.from({ length: 2 * MAXIMUM_DRAFTS }, () => newDraft(person)));
  expect(await countDraftsOf(person)).toBe(MAXIMUM_DRAFTS);
});

test('a draft keeps its latest measurements and browser checks when it gets a new code', async () => {
  const draftId = await newDraft();
  const { pool } = shop.connection;
  const [many, maximum] = [3 * MAXIMUM_EARLIER_MEASUREMENTS, MAXIMUM_EARLIER_MEASUREMENTS];
  await pool.query(
    `insert into measurements (draft_id, measured_with, machine)
     select $1, 'linux', jsonb_build_object('made', made) from generate_series(1, $2::int) as made`,
    [draftId, many],
  );
  await pool.query(
    `insert into browser_checks (draft_id, code_sha256, results, browser)
     select $1, encode(sha256(($1::uuid || ' ' || made)::bytea), 'hex'), '[]', '{}' from generate_series(1, $2::int) as made`,
    [draftId, many],
  );
  await newCode(draftId);
  const ofDraft = `where draft_id = '${draftId}'`;
  expect(await rows(`measurements ${ofDraft}`)).toBe(maximum);
  expect(await rows(`measurements ${ofDraft} and (machine->>'made')::int > ${many - maximum}`)).toBe(maximum);
  expect(await rows(`browser_checks ${ofDraft}`)).toBe(maximum);
});

test('a draft keeps the measurement before its latest browser check', async () => {
  const draftId = await newDraft();
  await shop.connection.pool.query(
    `insert into measurements (draft_id, measured_with, machine, measured_at)
     select $1, 'linux', jsonb_build_object('made', made), now() - interval '1 hour' + made * interval '1 minute'
       from generate_series(1, $2::int) as made`,
    [draftId, 2 * MAXIMUM_EARLIER_MEASUREMENTS],
  );
  await shop.connection.pool.query(
    `insert into browser_checks (draft_id, code_sha256, results, browser, checked_at)
     values ($1, encode(sha256('third'), 'hex'), '[]', '{}', now() - interval '1 hour' + interval '3 minutes 30 seconds')`,
    [draftId],
  );
  await newCode(draftId);
  const ofDraft = `measurements where draft_id = '${draftId}'`;
  expect(await rows(ofDraft)).toBe(MAXIMUM_EARLIER_MEASUREMENTS + 1);
  expect(await rows(`${ofDraft} and (machine->>'made')::int = 3`)).toBe(1);
});

test('an expired draft is neither shown nor listed nor kept', async () => {
  const draftId = await measuredDraft();
  await shop.connection.pool.query(
    `update laptop_drafts set expires_at = now() - interval '1 second' where id = $1`,
    [draftId],
  );
  await expect(readDraft(draftId)).rejects.toMatchObject({ code: 'not_found' });
  await expect(list(draftId)).rejects.toMatchObject({ code: 'invalid_input' });
  await removeExpiredDrafts(shop.connection.database);
  expect(await rows(`laptop_drafts where id = '${draftId}'`)).toBe(0);
});

test('a draft is part of one’s own data, and can be deleted', async () => {
  const draftId = await measuredDraft();
  const { drafts, measurements } = await seller.client.call(readOwnData, {});
  expect(drafts.find((draft) => draft.id === draftId)).toBeDefined();
  expect(measurements.find((each) => each.draft_id === draftId)?.machine).toMatchObject({
    memory: { value: 16 },
  });
  const remove = () => seller.client.call(deleteLaptopDraft, { params: { _id: draftId } });
  expect(await remove()).toMatchObject({ deletedCount: 1 });
  expect(await remove()).toMatchObject({ deletedCount: 0 });
});

test('an ended account leaves no draft', async () => {
  const person = await shop.seller();
  const draftId = await newDraft(person);
  await person.client.call(deleteOwnAccount, { query: { email: person.email } });
  expect(await rows(`laptop_drafts where id = '${draftId}'`)).toBe(0);
});
