import { beforeAll, expect, test } from 'vitest';
import {
  type CheckResult,
  checkNames,
  readCheckCode,
  submitBrowserCheck,
} from '#contract/certification/browser-checks.ts';
import {
  createMeasurementCode,
  readMeasurement,
  readOwnMeasurement,
} from '#contract/certification/inspections.ts';
import { type Person, type SharedShop, sharedShop } from '#tests/harness/operations/shop.ts';
import { hexDump, sampleSmbios } from './testing/linux-tree.ts';
import { sampleBrowser, sampleCheck, sampleResults } from './testing/sample-check.ts';

let shop: SharedShop;
let seller: Person;
beforeAll(async () => {
  shop = await sharedShop();
  seller = await shop.seller();
});

async function newCode(laptopId: string): Promise<string> {
  const { code } = await seller.client.call(createMeasurementCode, { params: { _id: laptopId } });
  return code;
}

const submit = (body: ReturnType<typeof sampleCheck>) => shop.visitor.call(submitBrowserCheck, { body });

const readOwn = async (laptopId: string) =>
  (await seller.client.call(readOwnMeasurement, { params: { _id: laptopId } })).check;

const postReport = (code: string, serial = '') =>
  fetch(`${shop.origin}/measurements`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: `laptop-report 1
code ${code}
system linux
== dmi/product_serial
\t${serial}
== cpuinfo
\tmodel name\t: 11th Gen Intel(R) Core(TM) i5-1145G7 @ 2.60GHz
== smbios
\t${hexDump(sampleSmbios([16_384]))}
== end
`,
  });

test('a visitor with the code sends a check, which the seller reads', async () => {
  const laptopId = await shop.laptop(seller);
  const code = await newCode(laptopId);
  const { productName } = await shop.visitor.call(readCheckCode, { body: { code } });
  expect(productName).not.toBe('');
  const results = sampleResults({ camera: 'failed', touch: 'skipped' });
  await submit({ code, results: results.toReversed(), browser: sampleBrowser });
  expect(await readOwn(laptopId)).toMatchObject({ results, browser: sampleBrowser, implausibilities: [] });
});

test.each([
  ['the report first', ['report', 'check']],
  ['the check first', ['check', 'report']],
])('a code brings one report and one check: %s', async (_name, order) => {
  const laptopId = await shop.laptop(seller);
  const code = await newCode(laptopId);
  const send = {
    report: async () => expect((await postReport(code)).status).toBe(200),
    check: async () => void (await submit(sampleCheck(code))),
  };
  for (const name of order) await (name === 'report' ? send.report() : send.check());
  expect((await postReport(code)).status).toBe(422);
  await expect(
    submit({ ...sampleCheck(code), results: sampleResults({ camera: 'failed' }) }),
  ).rejects.toMatchObject({
    code: 'check_refused',
  });
  await expect(shop.visitor.call(readCheckCode, { body: { code } })).rejects.toMatchObject({
    code: 'check_refused',
  });
});

test('a report and ten equal checks at the same time are kept once each', async () => {
  const laptopId = await shop.laptop(seller);
  const code = await newCode(laptopId);
  const [report] = await Promise.all([
    postReport(code),
    ...Array.from({ length: 10 }, () => submit(sampleCheck(code))),
  ]);
  expect(report.status).toBe(200);
  expect(await countChecks(laptopId)).toBe(1);
});

test('of different checks with one code, sent at the same time, one is kept and the others are refused', async () => {
  const laptopId = await shop.laptop(seller);
  const code = await newCode(laptopId);
  const outcomes = await Promise.allSettled(
    checkNames.map((name) => submit({ ...sampleCheck(code), results: sampleResults({ [name]: 'failed' }) })),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await countChecks(laptopId)).toBe(1);
});

const unusable = {
  unknown: async () => '0000-0000-0000',
  replaced: async (laptopId: string) => {
    const code = await newCode(laptopId);
    await newCode(laptopId);
    return code;
  },
  expired: async (laptopId: string) => {
    const code = await newCode(laptopId);
    await shop.connection.pool.query(
      `update measurement_codes set expires_at = now() - interval '1 second' where laptop_id = $1`,
      [laptopId],
    );
    return code;
  },
};

test.each(Object.entries(unusable))('a code that is %s is refused in words', async (_name, choose) => {
  const laptopId = await shop.laptop(seller);
  const code = await choose(laptopId);
  await expect(submit(sampleCheck(code))).rejects.toMatchObject({
    code: 'check_refused',
    message: expect.stringContaining('get a new code'),
  });
  expect(await countChecks(laptopId)).toBe(0);
});

const results = sampleResults();
const invalid: [string, unknown][] = [
  ['a missing result', results.slice(1)],
  ['a result twice', [...results.slice(1), results[1]]],
  ['nine results', [...results, results[0]]],
  ['an unknown test', [...results.slice(1), { name: 'battery', outcome: 'passed', note: null }]],
  ['an unknown outcome', [...results.slice(1), { name: 'keyboard', outcome: 'inspected', note: null }]],
  ['a long note', withNote('x'.repeat(161))],
  ['a note with a control character', withNote('fine\u0000')],
  ['a note that runs backwards', withNote('\u202Eenif')],
  ['a note with half a character', withNote('fine\uD800')],
];

test.each(invalid)('%s is refused, and the code stays usable', async (_name, value) => {
  const laptopId = await shop.laptop(seller);
  const code = await newCode(laptopId);
  const response = await fetch(`${shop.origin}/api/browserChecks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...sampleCheck(code), results: value }),
  });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ code: 'invalid_input' });
  await submit(sampleCheck(code));
});

test('the public sees a check only beside a measurement, and not when it clearly differs from it', async () => {
  const readPublic = async (laptopId: string) =>
    (await shop.visitor.call(readMeasurement, { params: { _id: laptopId } })).check;
  const laptopId = await shop.laptop(seller);
  const code = await newCode(laptopId);
  await submit(sampleCheck(code));
  expect(await readPublic(laptopId)).toBeNull();
  await postReport(code);
  expect(await readPublic(laptopId)).toMatchObject({ results });

  // The report has no graphics, so nothing differed yet.
  await shop.connection.pool.query(
    `update measurements set machine = jsonb_set(machine, '{graphics}', '["NVIDIA GeForce RTX 3050"]') where laptop_id = $1`,
    [laptopId],
  );
  expect(await readOwn(laptopId)).toMatchObject({
    implausibilities: [{ subject: 'Graphics', measured: 'NVIDIA GeForce RTX 3050' }],
  });
  await submit(sampleCheck(await newCode(laptopId)));
  expect(await readPublic(laptopId)).toBeNull();
});

test.each([
  ['on the same machine stay', 'PF3ABCDE', 1],
  ['on another machine are not its tests', 'PF9OTHER', 0],
  ['on a machine that cannot be recognized are not its tests', '', 0],
])('tests before a later measurement %s', async (_name, serial, count) => {
  const laptopId = await shop.laptop(seller);
  const code = await newCode(laptopId);
  await postReport(code, 'PF3ABCDE');
  await submit(sampleCheck(code));
  await postReport(await newCode(laptopId), serial);
  await shop.connection.pool.query(
    `update measurements set measured_at = measured_at + interval '1 hour'
      where number = (select max(number) from measurements where laptop_id = $1)`,
    [laptopId],
  );
  const { check } = await shop.visitor.call(readMeasurement, { params: { _id: laptopId } });
  expect([await readOwn(laptopId), check].filter((each) => each !== null)).toHaveLength(2 * count);
});

test.each([
  ['the same machine stay', 'PF3ABCDE', 'PF3ABCDE', 1],
  ['another machine are not its tests', 'PF3ABCDE', 'PF9OTHER', 0],
  ['a machine that cannot be recognized are not its tests', '', 'PF9OTHER', 0],
])(
  'tests before a measurement of %s, also while their code is valid',
  async (_name, first, second, count) => {
    const laptopId = await shop.laptop(seller);
    const code = await newCode(laptopId);
    await postReport(code, first);
    await submit(sampleCheck(code));
    expect(await readOwn(laptopId)).not.toBeNull();
    expect((await postReport(await newCode(laptopId), second)).status).toBe(200);
    const { check } = await shop.visitor.call(readMeasurement, { params: { _id: laptopId } });
    expect([await readOwn(laptopId), check].filter((each) => each !== null)).toHaveLength(2 * count);
  },
);

test('of two machines that are measured after the tests, these are the tests of the first', async () => {
  const laptopId = await shop.laptop(seller);
  const code = await newCode(laptopId);
  await submit(sampleCheck(code));
  await postReport(code, 'PF3ABCDE');
  expect(await readOwn(laptopId)).not.toBeNull();
  await postReport(await newCode(laptopId), 'PF9OTHER');
  expect(await readOwn(laptopId)).toBeNull();
});

test('tests before the first measurement are of a machine that nobody knows, and are not shown', async () => {
  const laptopId = await shop.laptop(seller);
  await submit(sampleCheck(await newCode(laptopId)));
  expect(await readOwn(laptopId)).not.toBeNull();
  await postReport(await newCode(laptopId), 'PF3ABCDE');
  await shop.connection.pool.query(
    `update measurements set measured_at = measured_at + interval '1 hour' where laptop_id = $1`,
    [laptopId],
  );
  expect(await readOwn(laptopId)).toBeNull();
});

test('stored checks are never changed', async () => {
  const laptopId = await shop.laptop(seller);
  await submit(sampleCheck(await newCode(laptopId)));
  await expect(
    shop.connection.pool.query(`update browser_checks set results = '[]' where laptop_id = $1`, [laptopId]),
  ).rejects.toThrow('never changed');
});

function withNote(note: string): CheckResult[] {
  return [...sampleResults().slice(1), { name: 'keyboard', outcome: 'passed', note }];
}

async function countChecks(laptopId: string): Promise<number> {
  const { rows } = await shop.connection.pool.query<{ count: number }>(
    'select count(*)::int as count from browser_checks where laptop_id = $1',
    [laptopId],
  );
  return rows[0]?.count ?? 0;
}
