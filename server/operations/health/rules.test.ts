import { describe, expect, test } from 'vitest';
import {
  type BackupFigures,
  type DatabaseFigures,
  formatBytes,
  formatDuration,
  type JobFigures,
  judgeBackups,
  judgeDatabase,
  judgeJobs,
  judgePayments,
  judgePhotos,
  judgeProvider,
  judgeSearch,
  judgeSms,
  worstState,
} from './rules.ts';

const HOUR = 3_600_000;
const unanswered = { problem: 'It did not answer within 2.5 s.' };

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1536, '1.5 KB'],
  [5 * 1024 ** 3, '5.0 GB'],
  [2_000 * 1024 ** 4, '2000 TB'],
])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

test.each([
  [-5, '0 seconds'],
  [1_000, '1 second'],
  [119_000, '119 seconds'],
  [120_000, '2 minutes'],
  [3 * HOUR, '3 hours'],
  [50 * HOUR, '2 days'],
])('%d ms are %s', (milliseconds, text) => expect(formatDuration(milliseconds)).toBe(text));

test('the worst of all checks counts', () => {
  const fine = { subject: 'database', ...judgeDatabase(database) } as const;
  const look = { subject: 'backups', ...judgeBackups({ ...daily, everyMs: null }) } as const;
  const broken = { subject: 'jobs', ...judgeJobs(unanswered) } as const;
  expect(worstState([])).toBe('fine');
  expect(worstState([fine])).toBe('fine');
  expect(worstState([broken, look, fine])).toBe('broken');
  expect(worstState([fine, look])).toBe('look');
});

const database: DatabaseFigures = {
  version: '18.4',
  bytes: 1,
  connections: 20,
  maxConnections: 100,
  processes: 2,
  migrations: 3,
  lastMigration: '0003-c',
  knownMigration: '0003-c',
};
test.each([
  [{}, 'fine'],
  [{ connections: 79 }, 'fine'],
  [{ connections: 80 }, 'look'],
  [{ lastMigration: '0004-d' }, 'look'],
] as const)('a database with %o is %s', (changed, state) => {
  expect(judgeDatabase({ ...database, ...changed }).state).toBe(state);
});

const jobs: JobFigures = { queued: 3, active: 1, failing: [], failingItems: [], oldestWaitMs: null };
test.each([
  [{}, 'fine'],
  [{ oldestWaitMs: 60_000 }, 'fine'],
  [{ oldestWaitMs: 61_000 }, 'look'],
  [{ oldestWaitMs: 301_000 }, 'broken'],
  [{ failing: [{ name: 'sale-email', count: 2 }] }, 'look'],
  [{ failingItems: [{ name: 'order deadlines', count: 1 }] }, 'look'],
] as const)('jobs with %o are %s', (changed, state) => {
  expect(judgeJobs({ ...jobs, ...changed }).state).toBe(state);
});

const now = new Date('2026-11-25T12:00:00Z');
test.each([
  [{ today: 0, last: null }, 'fine'],
  [{ today: 159, last: { state: 'sent', askedAt: now } }, 'fine'],
  [{ today: 160, last: { state: 'sent', askedAt: now } }, 'look'],
  [{ today: 200, last: null }, 'look'],
  [{ today: 1, last: { state: 'not_sent', askedAt: now } }, 'look'],
  [{ today: 1, last: { state: 'uncertain', askedAt: now } }, 'look'],
  [unanswered, 'broken'],
] as const)('codes by SMS with %o are %s', (measured, state) => {
  expect(judgeSms(measured, { codesPerDay: 200, isOn: true, isStandIn: false, now }).state).toBe(state);
});

test('codes that are sent to nobody are broken, with the place where to say to whom', () => {
  const off = { codesPerDay: 200, isOn: false, isStandIn: false, now };
  expect(judgeSms({ today: 0, last: null }, off)).toMatchObject({
    state: 'broken',
    advice: expect.stringContaining('“Codes by SMS”'),
  });
});

const daily: BackupFigures = {
  everyMs: 24 * HOUR,
  expectedMs: 100 * HOUR,
  last: { ageMs: 2 * HOUR, bytes: 1, durationMs: 1 },
  unverified: null,
  failure: null,
};
describe('daily backups', () => {
  test.each([
    [{}, 'fine'],
    [{ everyMs: null }, 'look'],
    [{ last: { ageMs: 49 * HOUR, bytes: 1, durationMs: 1 } }, 'broken'],
    [{ last: { ageMs: 49 * HOUR, bytes: 1, durationMs: 1 }, expectedMs: HOUR }, 'fine'],
    [{ last: null }, 'broken'],
    [{ last: null, expectedMs: HOUR }, 'look'],
    [{ unverified: 'The role may not create a database.' }, 'look'],
    [{ failure: 'The disk is full.' }, 'look'],
  ] as const)('with %o are %s', (changed, state) => {
    expect(judgeBackups({ ...daily, ...changed }).state).toBe(state);
  });

  test('say why the last one failed', () => {
    expect(judgeBackups({ ...daily, failure: 'The disk is full.' }).advice).toBe('The disk is full.');
  });
});

const GIGABYTE = 1024 ** 3;
test.each([
  [6 * GIGABYTE, 'fine'],
  [4 * GIGABYTE, 'look'],
  [1.9 * GIGABYTE, 'broken'],
])('a disk with %d free bytes is %s', (freeBytes, state) => {
  expect(judgePhotos({ kind: 'disk', freeBytes, totalBytes: 100 * GIGABYTE }).state).toBe(state);
});

test('a search that does not follow the database needs a look', () => {
  const search = { isLoaded: true, laptops: 3, bytes: 1, ageMs: 900, waiting: 0 };
  expect(judgeSearch(search).state).toBe('fine');
  expect(judgeSearch({ ...search, ageMs: 61_000 }).state).toBe('look');
  expect(judgeSearch({ ...search, isLoaded: false }).state).toBe('look');
});

test('a stand-in is never taken for the provider', () => {
  for (const kind of ['email', 'payments'] as const) {
    expect(judgeProvider(kind, { answeredMs: 5, isStandIn: false }).state).toBe('fine');
    const standIn = judgeProvider(kind, { answeredMs: 5, isStandIn: true });
    expect(standIn).toMatchObject({ state: 'look', finding: expect.stringContaining('stand-in') });
  }
  const sms = { codesPerDay: 200, isOn: true, isStandIn: true, now };
  expect(judgeSms({ today: 0, last: null }, sms).state).toBe('look');
});

test('a card processor that answers is fine only when it sends all events that the shop needs', () => {
  const answers = { answeredMs: 5, isStandIn: false };
  expect(judgePayments(answers, []).state).toBe('fine');
  expect(judgePayments(answers, ['snapshot', 'thin'])).toMatchObject({
    state: 'broken',
    finding: expect.stringContaining('no events, because'),
  });
  expect(judgePayments(answers, ['thin'])).toMatchObject({
    state: 'broken',
    finding: expect.stringContaining('about sellers’ accounts'),
  });
  expect(judgePayments(answers, unanswered)).toMatchObject({ state: 'look', finding: unanswered.problem });
  expect(judgePayments(unanswered, []).finding).toBe(unanswered.problem);
});

test.each([
  judgeDatabase(unanswered),
  judgeJobs(unanswered),
  judgeBackups(unanswered),
  judgeProvider('email', unanswered),
  judgePhotos(unanswered),
])('what does not answer is broken, with advice', ({ state, finding, advice }) => {
  expect([state, finding]).toEqual(['broken', unanswered.problem]);
  expect(advice).not.toBeNull();
});
