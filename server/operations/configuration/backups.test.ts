import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { refusedSentences } from './testing/refused-sentences.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const backups = (environment: Record<string, string>) => readConfig(environment).backups;

test('backups are off unless an interval is given', () => {
  expect(backups({})).toEqual({ everyMs: null, to: null, keep: 14 });
  // Stored backups can be listed and restored.
  expect(backups({ BACKUP_TO: '/var/backups/shop' })).toMatchObject({
    everyMs: null,
    to: { kind: 'folder', folder: '/var/backups/shop' },
  });
});

test.each([
  ['1m', MINUTE_MS],
  ['90m', 90 * MINUTE_MS],
  ['24h', DAY_MS],
  ['31d', 31 * DAY_MS],
])('BACKUP_EVERY=%s is a duration', (BACKUP_EVERY, everyMs) => {
  expect(backups({ BACKUP_EVERY, BACKUP_TO: '/b' }).everyMs).toBe(everyMs);
});

test.each(['0h', '24', '1.5h', '-1h', '32d', '99999d', '10s', 'daily'])(
  'BACKUP_EVERY=%s is refused',
  (value) => {
    expect(refusedSentences({ BACKUP_EVERY: value, BACKUP_TO: '/b' })).toEqual([
      'BACKUP_EVERY must be a duration from 1m to 31d, such as 30m, 24h or 7d.',
    ]);
  },
);

test('BACKUP_KEEP is a number', () => {
  expect(backups({ BACKUP_KEEP: '999', BACKUP_EVERY: '1h', BACKUP_TO: '/b' }).keep).toBe(999);
});

test.each(['0', '-1', '1000', '7d', '1.5'])('BACKUP_KEEP=%s is refused', (value) => {
  expect(refusedSentences({ BACKUP_KEEP: value, BACKUP_EVERY: '1h', BACKUP_TO: '/b' })).toEqual([
    'BACKUP_KEEP must be a number of backups from 1 to 999.',
  ]);
});

test('a bucket uses the settings of the photos’ bucket, or only its own', () => {
  const BACKUP_TO = 's3://shop-backups/main/';
  const photos = {
    S3_REGION: 'eu-west-1',
    S3_ENDPOINT: 'https://s3.example',
    S3_ACCESS_KEY_ID: 'a',
    S3_SECRET_ACCESS_KEY: 'b',
  };
  expect(backups({ BACKUP_TO, ...photos }).to).toEqual({
    kind: 'bucket',
    bucket: 'shop-backups',
    prefix: 'main/',
    region: 'eu-west-1',
    endpoint: 'https://s3.example',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  });
  const own = { BACKUP_S3_ACCESS_KEY_ID: 'c', BACKUP_S3_SECRET_ACCESS_KEY: 'd' };
  expect(backups({ BACKUP_TO: 's3://shop-backups', S3_BUCKET: 'photos', ...photos, ...own }).to).toEqual({
    kind: 'bucket',
    bucket: 'shop-backups',
    prefix: '',
    region: 'us-east-1',
    endpoint: null,
    credentials: { accessKeyId: 'c', secretAccessKey: 'd' },
  });
});

test.each<[Record<string, string>, string]>([
  [{ BACKUP_EVERY: '24h' }, 'BACKUP_EVERY is set without BACKUP_TO and would have no effect.'],
  [{ BACKUP_KEEP: '7' }, 'BACKUP_KEEP is set without BACKUP_EVERY and would have no effect.'],
  [{ BACKUP_TO: 'backups' }, 'BACKUP_TO must be the absolute path of a folder, or s3://bucket/prefix.'],
  [{ BACKUP_TO: 's3://B' }, 'BACKUP_TO must be the absolute path of a folder, or s3://bucket/prefix.'],
  [
    { BACKUP_TO: '/data/shop/backups', COOMERCIO_DATA: '/data/shop' },
    'BACKUP_TO is inside COOMERCIO_DATA: the backups would be lost with the shop’s data.',
  ],
  [
    { BACKUP_TO: '/b', BACKUP_S3_ENDPOINT: 'https://s3.example' },
    'BACKUP_S3_ENDPOINT is set without a bucket in BACKUP_TO and would have no effect.',
  ],
  [
    { BACKUP_TO: 's3://backups', BACKUP_S3_ACCESS_KEY_ID: 'a' },
    'Signing in to the backups’ bucket: set BACKUP_S3_ACCESS_KEY_ID, BACKUP_S3_SECRET_ACCESS_KEY together; BACKUP_S3_SECRET_ACCESS_KEY is missing.',
  ],
])('%o is refused with a sentence', (environment, sentence) => {
  expect(refusedSentences(environment)).toEqual([sentence]);
});

test('a folder beside the data folder is accepted', () => {
  expect(refusedSentences({ BACKUP_TO: '/data/shop-backups', COOMERCIO_DATA: '/data/shop' })).toEqual([]);
});
