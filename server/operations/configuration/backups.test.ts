import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { refusedSentences } from './testing/refused-sentences.ts';

const destination = (environment: Record<string, string>) => readConfig(environment).backupDestination;

test('backups have no place unless one is given', () => {
  expect(destination({})).toBeNull();
  expect(destination({ BACKUP_TO: '/var/backups/shop' })).toEqual({
    kind: 'folder',
    folder: '/var/backups/shop',
  });
});

test('a bucket uses the settings of the photos’ bucket, or only its own', () => {
  const BACKUP_TO = 's3://shop-backups/main/';
  const photos = {
    S3_REGION: 'eu-west-1',
    S3_ENDPOINT: 'https://s3.example',
    S3_ACCESS_KEY_ID: 'a',
    S3_SECRET_ACCESS_KEY: 'b',
  };
  expect(destination({ BACKUP_TO, ...photos })).toEqual({
    kind: 'bucket',
    bucket: 'shop-backups',
    prefix: 'main/',
    region: 'eu-west-1',
    endpoint: 'https://s3.example',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  });
  const own = { BACKUP_S3_ACCESS_KEY_ID: 'c', BACKUP_S3_SECRET_ACCESS_KEY: 'd' };
  expect(destination({ BACKUP_TO: 's3://shop-backups', S3_BUCKET: 'photos', ...photos, ...own })).toEqual({
    kind: 'bucket',
    bucket: 'shop-backups',
    prefix: '',
    region: 'us-east-1',
    endpoint: null,
    credentials: { accessKeyId: 'c', secretAccessKey: 'd' },
  });
});

test.each<[Record<string, string>, string]>([
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
