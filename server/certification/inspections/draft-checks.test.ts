import { beforeAll, expect, test } from 'vitest';
import { readCheckCode, submitBrowserCheck } from '#contract/certification/browser-checks.ts';
import { readOwnMeasurement } from '#contract/certification/inspections.ts';
import {
  createDraftCode,
  createLaptopDraft,
  deleteDraftMeasurement,
  deleteLaptopDraft,
  readDraftMeasurement,
} from '#contract/certification/laptop-drafts.ts';
import { listLaptop } from '#contract/listings/catalogue.ts';
import { readOwnData } from '#contract/operations/privacy.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { sampleLaptop } from '#tests/harness/people/person.ts';
import { sampleCheck, sampleResults } from './testing/sample-check.ts';

let shop: SharedShop;
let seller: Person;
beforeAll(async () => {
  shop = await sharedShop();
  seller = await shop.seller();
});

async function draftWithCode(): Promise<{ draftId: string; slipCode: string; code: string }> {
  const { insertedId: draftId, slipCode } = await seller.client.call(createLaptopDraft, {});
  return { draftId, slipCode, code: await newCode(draftId) };
}
const newCode = async (draftId: string) =>
  (await seller.client.call(createDraftCode, { params: { _id: draftId } })).code;
const submit = (code: string, results = sampleResults()) =>
  shop.visitor.call(submitBrowserCheck, { body: { ...sampleCheck(code), results } });
const readDraft = (draftId: string) => seller.client.call(readDraftMeasurement, { params: { _id: draftId } });
const list = (draftId: string) =>
  seller.client.call(listLaptop, { body: { ...sampleLaptop(shop.origin), draftId } });
const reportWith = (code: string, serial: string) =>
  `laptop-report 1\ncode ${code}\nsystem linux\n== dmi/product_serial\n\t${serial}\n== meminfo\n\tMemTotal:       15984128 kB\n== end\n`;
const measure = (code: string, serial = 'PF3ABCDE') =>
  fetch(`${shop.origin}/measurements`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: reportWith(code, serial),
  });

test.each(['before', 'after'])(
  'the code of a draft serves one report and one check, the check %s the report, and listing moves both',
  async (order) => {
    const { draftId, slipCode, code } = await draftWithCode();
    const named = await shop.visitor.call(readCheckCode, { body: { code } });
    expect(named.productName).toContain(slipCode);
    const acts = [() => submit(code), async () => expect((await measure(code)).status).toBe(200)];
    for (const act of order === 'before' ? acts : acts.toReversed()) await act();
    expect((await measure(code)).status).toBe(422);
    await expect(shop.visitor.call(readCheckCode, { body: { code } })).rejects.toMatchObject({
      code: 'check_refused',
    });

    const { check, measurement } = await readDraft(draftId);
    expect(measurement).not.toBeNull();
    expect(check?.results).toEqual(sampleResults());
    const { insertedId } = await list(draftId);
    const own = await seller.client.call(readOwnMeasurement, { params: { _id: insertedId } });
    expect(own.check).toMatchObject({ checkedAt: check?.checkedAt, results: sampleResults() });
  },
);

test('the same check sent again is acknowledged, also after the listing; another one with the code is refused', async () => {
  const { draftId, code } = await draftWithCode();
  await submit(code);
  await expect(submit(code)).resolves.toMatchObject({ acknowledged: true });
  const other = sampleResults({ keyboard: 'failed' });
  await expect(submit(code, other)).rejects.toMatchObject({ code: 'check_refused' });
  await list(draftId);
  await expect(submit(code)).resolves.toMatchObject({ acknowledged: true });
  await expect(submit(code, other)).rejects.toMatchObject({ code: 'check_refused' });
});

test('a new code takes a new check, in place of the one before', async () => {
  const { draftId, code } = await draftWithCode();
  await submit(code);
  const later = sampleResults({ camera: 'failed' });
  await submit(await newCode(draftId), later);
  expect((await readDraft(draftId)).check?.results).toEqual(later);
});

test.each([
  ['the same machine', 'PF3ABCDE', true],
  ['another machine', 'PF9OTHER', false],
  ['a machine without a serial number', '', false],
])('a draft’s measurement and check before a measurement of %s', async (_name, serial, isKept) => {
  const { draftId, code } = await draftWithCode();
  await measure(code);
  await submit(code);
  expect((await measure(await newCode(draftId), serial)).status).toBe(200);
  expect((await readDraft(draftId)).check !== null).toBe(isKept);
  const { insertedId } = await list(draftId);
  const own = await seller.client.call(readOwnMeasurement, { params: { _id: insertedId } });
  expect(own.check !== null).toBe(isKept);
  const { measurements } = await seller.client.call(readOwnData, {});
  const ofLaptop = measurements.filter((each) => each.laptop_id === insertedId);
  expect(ofLaptop).toHaveLength(isKept ? 2 : 1);
  expect(measurements.filter((each) => each.draft_id === draftId)).toEqual([]);
});

test('a replaced, an expired, and a deleted draft’s code keep nothing', async () => {
  const replaced = await draftWithCode();
  await newCode(replaced.draftId);
  const expired = await draftWithCode();
  await shop.connection.pool.query(
    `update measurement_codes set expires_at = now() - interval '1 second' where draft_id = $1`,
    [expired.draftId],
  );
  const deleted = await draftWithCode();
  await seller.client.call(deleteLaptopDraft, { params: { _id: deleted.draftId } });
  for (const { code } of [replaced, expired, deleted]) {
    await expect(submit(code)).rejects.toMatchObject({ code: 'check_refused' });
  }
  expect((await readDraft(replaced.draftId)).check).toBeNull();
  expect((await readDraft(expired.draftId)).check).toBeNull();
});

test('a check that arrives while the draft is listed is with the laptop, or refused', async () => {
  const { draftId, code } = await draftWithCode();
  const [sent, listed] = await Promise.allSettled([submit(code), list(draftId)]);
  if (listed.status === 'rejected') throw listed.reason;
  const { check } = await seller.client.call(readOwnMeasurement, {
    params: { _id: listed.value.insertedId },
  });
  expect(check !== null).toBe(sent.status === 'fulfilled');
});

test('a draft’s check is part of one’s own data, and is deleted with the measurement', async () => {
  const { draftId, code } = await draftWithCode();
  await submit(code);
  const { browserChecks } = await seller.client.call(readOwnData, {});
  expect(browserChecks.find((check) => check.draft_id === draftId)).toMatchObject({
    results: sampleResults(),
  });
  const remove = () => seller.client.call(deleteDraftMeasurement, { params: { _id: draftId } });
  await expect(remove()).resolves.toMatchObject({ deletedCount: 1 });
  await expect(remove()).resolves.toMatchObject({ deletedCount: 0 });
  expect((await readDraft(draftId)).check).toBeNull();
});
