import { beforeAll, expect, test } from 'vitest';
import { type CheckResult, submitBrowserCheck } from '#contract/certification/browser-checks.ts';
import { claimWords } from '#contract/certification/certificates.ts';
import {
  type Checklist,
  type ChecklistItem,
  checklistItems,
  checklistNames,
} from '#contract/certification/checklist.ts';
import {
  type Decision,
  decideInspection,
  type InspectionList,
  listInspections,
  readInspection,
} from '#contract/certification/inspection-queue.ts';
import {
  createMeasurementCode,
  readMeasurement,
  readOwnMeasurement,
} from '#contract/certification/inspections.ts';
import { readLaptop } from '#contract/listings/catalogue.ts';
import { listAuditTrail } from '#contract/people/audit.ts';
import { changeListing } from '#tests/harness/listings/change-listing.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { waitForEmptyQueue } from '#tests/harness/platform/job-queue.ts';
import { answerAll, metFromPhotos } from './testing/checklist.ts';
import { thinkpad } from './testing/linux-tree.ts';
import { measureAs } from './testing/measure.ts';
import { sampleBrowser, sampleResults } from './testing/sample-check.ts';

const description = { Memory: '16 GB', Storage: '512 GB SSD', Display: '14.0"', Processor: 'Core i5-10310U' };

let shop: SharedShop;
let seller: Person;
let admin: Person;
beforeAll(async () => {
  shop = await sharedShop();
  [seller, admin] = await Promise.all([shop.seller(), shop.admin()]);
});

const read = (_id: string) => shop.visitor.call(readLaptop, { params: { _id } });
const readCase = (_id: string) => admin.client.call(readInspection, { params: { _id } });

async function measuredLaptop(): Promise<string> {
  const id = await shop.laptop(seller, { description, condition: 'Good' });
  await measureAs(shop, seller, id, thinkpad);
  return id;
}

/** A decision from photos about what the inspection page shows now. */
async function decisionAbout(id: string, decision: Decision, note = '') {
  const { version, measurement } = await readCase(id);
  return {
    ...{ version, measurementId: measurement._id, kind: 'photos' as const, decision, note },
    checklist: decision === 'approved' ? metFromPhotos : answerAll('unchecked'),
    ...(decision === 'approved' && { grade: 'Good' as const }),
  };
}

async function decide(id: string, decision: Decision, note = '') {
  const body = await decisionAbout(id, decision, note);
  return admin.client.call(decideInspection, { params: { _id: id }, body });
}

const listed = async (list: InspectionList, id: string) =>
  (await admin.client.call(listInspections, { query: { list, limit: 100 } })).some(({ _id }) => _id === id);

test('an approval makes a laptop inspected, and is recorded and told', async () => {
  const id = await measuredLaptop();
  expect(await listed('waiting', id)).toBe(true);
  expect(await readCase(id)).toMatchObject({ canDecide: true, changes: [], decisions: [] });

  expect(await decide(id, 'approved')).toMatchObject({ modifiedCount: 1 });
  expect(await read(id)).toMatchObject({ level: 'inspected_photos', level_at: expect.any(String) });
  expect(await listed('waiting', id)).toBe(false);
  expect(await listed('inspected', id)).toBe(true);
  expect(await decide(id, 'approved')).toMatchObject({ modifiedCount: 0 });
  expect((await readCase(id)).decisions).toMatchObject([{ grade: 'Good', inspectorName: 'Ada Admin' }]);
  const [entry] = await admin.client.call(listAuditTrail, { query: { limit: 1 } });
  expect(entry).toMatchObject({ act: 'Inspected laptop', adminEmail: admin.email });
  await waitForEmptyQueue(shop.connection.pool);
  expect(shop.mails.filter(({ to }) => to === seller.email).map(({ subject }) => subject)).toContain(
    'EliteBook 840 G8 is inspected',
  );
});

test('the inspection page shows the latest tests in the browser, also those that buyers do not see', async () => {
  const id = await measuredLaptop();
  expect(await readCase(id)).toMatchObject({ check: null });
  const { code } = await seller.client.call(createMeasurementCode, { params: { _id: id } });
  const results = sampleResults({ camera: 'failed' });
  const browser = { ...sampleBrowser, memory: 64 };
  await shop.visitor.call(submitBrowserCheck, { body: { code, results, browser } });
  expect(await readCase(id)).toMatchObject({
    check: { results, implausibilities: [{ subject: 'Memory' }] },
  });
});

/** Approves a laptop from photos, with further answers. */
async function approveWith(id: string, answers: Partial<Checklist>) {
  const body = await decisionAbout(id, 'approved');
  const checklist = { ...body.checklist, ...answers };
  return admin.client.call(decideInspection, { params: { _id: id }, body: { ...body, checklist } });
}

/** Sends the results of tests in a laptop's browser. */
async function checkWith(id: string, results: CheckResult[], browser = sampleBrowser) {
  const { code } = await seller.client.call(createMeasurementCode, { params: { _id: id } });
  await shop.visitor.call(submitBrowserCheck, { body: { code, results, browser } });
}

/** What buyers read of an item. */
async function claimOf(id: string, item: ChecklistItem) {
  const { inspectionClaims } = await shop.visitor.call(readMeasurement, { params: { _id: id } });
  const claim = inspectionClaims.find(({ name }) => name === checklistItems[item].text);
  return claim && claimWords(claim);
}

const tested = ['screen', 'keyboard', 'touchpad', 'camera', 'sound'] as const;

test.each<[string, ChecklistItem, RegExp]>([
  ...tested.map((item): [string, ChecklistItem, RegExp] => ['without a test', item, /No browser test of/]),
  ['without a photo of it', 'slip', /No photo of the slip\. From photos this is not checked/],
  ['without photos of the parts', 'body', /No photo of the lid, the open laptop, the ports, the underside/],
])('an approval from photos %s that calls "%s" met is refused', async (_, item, message) => {
  const id = await measuredLaptop();
  await expect(approveWith(id, { [item]: 'met' })).rejects.toMatchObject({ errors: { checklist: message } });
  expect((await readCase(id)).decisions).toEqual([]);
});

test('a test that failed, was skipped or clearly differs from the measurement lets no item be met', async () => {
  const id = await measuredLaptop();
  await checkWith(id, sampleResults({ keyboard: 'failed', camera: 'skipped' }));
  for (const [item, message] of [
    ['keyboard', /keyboard: failed/],
    ['camera', /No browser test of the camera/],
  ] as const) {
    await expect(approveWith(id, { [item]: 'met' })).rejects.toMatchObject({
      errors: { checklist: message },
    });
  }
  await checkWith(id, sampleResults(), { ...sampleBrowser, memory: 64 });
  await expect(approveWith(id, { touchpad: 'met' })).rejects.toMatchObject({
    errors: { checklist: /clearly differs from the measurement/ },
  });
});

test('tests that passed and photos of the parts let items be met, until a later test says otherwise', async () => {
  const image = (at: number) => `/brands/hp.svg?${at}`;
  const kinds = ['slip', 'lid', 'on', 'ports', 'underside'] as const;
  const images = kinds.map((_, at) => image(at));
  const id = await measuredLaptop();
  await shop.connection.pool.query('update laptops set images = $2, photo_kinds = $3 where id = $1', [
    ...[id, images, Object.fromEntries(kinds.map((kind, at) => [image(at), kind]))],
  ]);
  expect(await readCase(id)).toMatchObject({ photoKinds: kinds });
  await checkWith(id, sampleResults({ camera: 'skipped' }));
  await approveWith(id, { slip: 'met', body: 'met', screen: 'met', keyboard: 'met' });
  expect(await read(id)).toMatchObject({ level: 'inspected_photos' });
  const claims = async () => Promise.all(checklistNames.map((item) => claimOf(id, item)));
  const [photos, listing, none] = ['Seen in the photos', 'Passed', 'Not checked'];
  const test = 'Passed, browser test';
  expect(await claims()).toEqual([photos, photos, photos, photos, test, test, none, none, none, listing]);

  await checkWith(id, sampleResults({ keyboard: 'failed' }));
  expect(await claims()).toEqual([photos, photos, photos, photos, test, none, none, none, none, listing]);
  await measureAs(shop, seller, id, thinkpad);
  expect(await claimOf(id, 'photos')).toBeUndefined();
});

test('the schema has no inspection in hand without photos, and no approval with an item that is not met', async () => {
  const id = await measuredLaptop();
  await decide(id, 'approved');
  const insertAgain = (kind: string, answer: string) =>
    shop.connection.pool.query(
      `insert into inspections (laptop_id, decision, measurement_id, laptop_version, listing, grade, checklist, note, kind)
       select laptop_id, decision, measurement_id, laptop_version, listing, grade,
              checklist || jsonb_build_object('body', $3::text), note, $2
         from inspections where laptop_id = $1 limit 1`,
      [id, kind, answer],
    );
  await expect(insertAgain('hand', 'met')).rejects.toThrow('in_hand_has_photos');
  await expect(insertAgain('photos', 'not_met')).rejects.toThrow('approved_without_objection');
  await insertAgain('photos', 'unchecked');
});

test('the inspection page shows the measurement before, and whether it was of another machine', async () => {
  const id = await measuredLaptop();
  expect(await readCase(id)).toMatchObject({ earlier: null });
  const serial = '/sys/class/dmi/id/product_serial';
  await measureAs(shop, seller, id, { ...thinkpad, '/sys/class/power_supply/BAT0/cycle_count': '412\n' });
  expect(await readCase(id)).toMatchObject({
    measurement: { machine: { battery: { value: { cycles: 412 } } } },
    earlier: { machine: { serial: { value: 'PF3…DE' } }, isOtherMachine: false },
  });
  await measureAs(shop, seller, id, { ...thinkpad, [serial]: 'PF3XXXDE\n' });
  expect(await readCase(id)).toMatchObject({
    measurement: { machine: { serial: { value: 'PF3…DE' } } },
    earlier: { machine: { battery: { value: { cycles: 412 } } }, isOtherMachine: true },
  });
  // Its seller, who may have measured the wrong laptop, is told too.
  const own = await seller.client.call(readOwnMeasurement, { params: { _id: id } });
  expect(own.isOtherMachine).toBe(true);
  await measureAs(shop, seller, id, { ...thinkpad, [serial]: '\n' });
  expect(await readCase(id)).toMatchObject({ earlier: { isOtherMachine: null } });
});

test('an edit drops an inspected laptop to measured, shows its difference, and an approval restores it', async () => {
  const id = await measuredLaptop();
  await decide(id, 'approved');
  await changeListing(seller, id, { name: 'EliteBook 840 G8, like new', use_time: '1 month' });
  expect(await read(id)).toMatchObject({ level: 'measured' });
  expect(await listed('waiting', id)).toBe(true);
  const changes = [
    { field: 'Name', before: 'EliteBook 840 G8', after: 'EliteBook 840 G8, like new' },
    { field: 'Use Time', before: expect.any(String), after: '1 month' },
  ];
  expect((await readCase(id)).changes).toEqual(changes);
  await decide(id, 'approved');
  expect(await read(id)).toMatchObject({ level: 'inspected_photos' });
  const { changes: open, decisions } = await readCase(id);
  expect(open).toEqual([]);
  expect(decisions).toMatchObject([{ changes }, { changes: [] }]);
});

test('what is sent back waits for its seller, and returns with the next edit', async () => {
  const id = await measuredLaptop();
  await decide(id, 'sent_back', 'Please name the scratch on the lid.');
  expect(await read(id)).toMatchObject({ level: 'measured' });
  expect([await listed('waiting', id), await listed('answered', id)]).toEqual([false, true]);
  await waitForEmptyQueue(shop.connection.pool);
  expect(shop.mails.find(({ subject }) => subject === 'Please correct EliteBook 840 G8')?.text).toContain(
    'Please name the scratch on the lid.',
  );
  await changeListing(seller, id, { description: { ...description, Notes: 'A scratch on the lid.' } });
  expect([await listed('waiting', id), await listed('answered', id)]).toEqual([true, false]);
});

test('a decision about what has changed since is refused', async () => {
  const id = await measuredLaptop();
  const body = await decisionAbout(id, 'approved');
  await changeListing(seller, id, { name: 'Another name' });
  const late = admin.client.call(decideInspection, { params: { _id: id }, body });
  await expect(late).rejects.toMatchObject({ code: 'changed_elsewhere' });
  expect((await readCase(id)).decisions).toEqual([]);
});

test('an edit and an approval at the same instant never leave an unseen text inspected', async () => {
  for (let round = 0; round < 10; round += 1) {
    const id = await measuredLaptop();
    const body = await decisionAbout(id, 'approved');
    await Promise.allSettled([
      changeListing(seller, id, { name: 'Unseen' }),
      admin.client.call(decideInspection, { params: { _id: id }, body }),
    ]);
    expect(await read(id)).toMatchObject({ name: 'Unseen', level: 'measured' });
  }
});

test('of two admins who decide differently at the same instant, one is refused', async () => {
  const id = await measuredLaptop();
  const other = await shop.admin();
  const [approval, refusal] = [
    await decisionAbout(id, 'approved'),
    await decisionAbout(id, 'refused', 'No.'),
  ];
  const outcomes = await Promise.allSettled([
    admin.client.call(decideInspection, { params: { _id: id }, body: approval }),
    other.client.call(decideInspection, { params: { _id: id }, body: refusal }),
  ]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect((await readCase(id)).decisions).toHaveLength(1);
});

test('decisions that make no sense are refused with an error at the field', async () => {
  const id = await measuredLaptop();
  const approval = await decisionAbout(id, 'approved');
  const attempt = (body: object) =>
    admin.client.call(decideInspection, { params: { _id: id }, body: { ...approval, ...body } });
  await expect(attempt({ grade: undefined })).rejects.toMatchObject({
    errors: { grade: expect.any(String) },
  });
  await expect(attempt({ grade: 'Fair' })).rejects.toMatchObject({ errors: { grade: /says Good/ } });
  await expect(attempt({ checklist: { ...metFromPhotos, marks: 'unchecked' } })).rejects.toMatchObject({
    errors: { checklist: /the photos, the marks and the price/ },
  });
  await expect(attempt({ checklist: { ...metFromPhotos, body: 'not_met' } })).rejects.toMatchObject({
    errors: { checklist: /not met/ },
  });
  await expect(attempt({ kind: undefined })).rejects.toMatchObject({ errors: { kind: expect.any(String) } });
  await expect(attempt({ photos: [`${shop.origin}/photos/x`] })).rejects.toMatchObject({
    errors: { photos: /of a laptop in hand/ },
  });
  const hand = { kind: 'hand', checklist: answerAll('met') };
  await expect(attempt(hand)).rejects.toMatchObject({ errors: { photos: /at least one photo/ } });
  await expect(
    attempt({ ...hand, decision: 'refused', grade: undefined, note: 'It does not start.' }),
  ).rejects.toMatchObject({ errors: { photos: /at least one photo/ } });
  await expect(
    attempt({ ...hand, checklist: metFromPhotos, photos: [`${shop.origin}/photos/x`] }),
  ).rejects.toMatchObject({ errors: { checklist: /in hand needs every item/ } });
  await expect(attempt({ decision: 'refused', grade: undefined, note: ' ' })).rejects.toMatchObject({
    errors: { note: expect.any(String) },
  });
  expect((await readCase(id)).decisions).toEqual([]);
  expect(Object.keys(approval.checklist)).toEqual([...checklistNames]);
  expect(Object.keys(checklistItems)).toEqual([...checklistNames]);
});

test('a laptop without a measurement has no case, and nobody but an admin has access', async () => {
  const unmeasured = await shop.laptop(seller);
  await expect(readCase(unmeasured)).rejects.toMatchObject({ code: 'not_found' });
  const id = await measuredLaptop();
  const body = await decisionAbout(id, 'approved');
  const buyer = await shop.buyer();
  for (const { client } of [seller, buyer, { client: shop.visitor }]) {
    await expect(client.call(readInspection, { params: { _id: id } })).rejects.toMatchObject({
      status: expect.toBeOneOf([401, 403]),
    });
    await expect(client.call(decideInspection, { params: { _id: id }, body })).rejects.toMatchObject({
      status: expect.toBeOneOf([401, 403]),
    });
  }
  expect(await read(id)).toMatchObject({ level: 'measured' });
});
