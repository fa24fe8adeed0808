import { isAbsolute, relative, resolve } from 'node:path';
import * as z from 'zod/mini';

const bucketUrl = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9/_.-]{0,200}))?$/;

const to = z.string().check(
  z.refine((value) => isAbsolute(value) || bucketUrl.test(value), {
    error: 'BACKUP_TO must be the absolute path of a folder, or s3://bucket/prefix.',
  }),
);

/** The environment variables of periodic backups: where they are stored. */
export const backupVariables = {
  BACKUP_TO: z.optional(to),
  BACKUP_S3_REGION: z.optional(z.string()),
  BACKUP_S3_ENDPOINT: z.optional(
    z.url({ protocol: /^https?$/, error: 'BACKUP_S3_ENDPOINT must be an http or https URL.' }),
  ),
  BACKUP_S3_ACCESS_KEY_ID: z.optional(z.string()),
  BACKUP_S3_SECRET_ACCESS_KEY: z.optional(z.string()),
};

const Variables = z.object(backupVariables);
type BackupEnvironment = z.infer<typeof Variables> & {
  COOMERCIO_DATA: string;
  S3_REGION: string;
  S3_ENDPOINT?: string | undefined;
  S3_ACCESS_KEY_ID?: string | undefined;
  S3_SECRET_ACCESS_KEY?: string | undefined;
};

const ownBucketVariables = [
  'BACKUP_S3_REGION',
  'BACKUP_S3_ENDPOINT',
  'BACKUP_S3_ACCESS_KEY_ID',
  'BACKUP_S3_SECRET_ACCESS_KEY',
] as const;
const ownBucketVariablesIn = (environment: BackupEnvironment) =>
  ownBucketVariables.filter((name) => environment[name] !== undefined);

/** Finds variables of backups that are valid alone but not together. @returns a sentence for each contradiction */
export function findBackupContradictions(environment: BackupEnvironment): string[] {
  const { BACKUP_TO, COOMERCIO_DATA } = environment;
  if (BACKUP_TO !== undefined && bucketUrl.test(BACKUP_TO)) return [];
  const sentences = ownBucketVariablesIn(environment).map(
    (name) => `${name} is set without a bucket in BACKUP_TO and would have no effect.`,
  );
  const path = BACKUP_TO === undefined ? '..' : relative(resolve(COOMERCIO_DATA), BACKUP_TO);
  if (!(path.startsWith('..') || isAbsolute(path))) {
    sentences.push('BACKUP_TO is inside COOMERCIO_DATA: the backups would be lost with the shop’s data.');
  }
  return sentences;
}

/** Where backups are stored. */
export type DestinationSettings = NonNullable<ReturnType<typeof readBackupDestination>>;

/** Reads where backups are stored; null when no place for them is configured. */
export function readBackupDestination(environment: BackupEnvironment) {
  const { BACKUP_TO } = environment;
  if (BACKUP_TO === undefined) return null;
  const bucket = bucketUrl.exec(BACKUP_TO);
  if (bucket === null) return { kind: 'folder' as const, folder: resolve(BACKUP_TO) };
  const prefix = ownBucketVariablesIn(environment).length > 0 ? ('BACKUP_S3_' as const) : ('S3_' as const);
  const accessKeyId = environment[`${prefix}ACCESS_KEY_ID`];
  const secretAccessKey = environment[`${prefix}SECRET_ACCESS_KEY`];
  const folders = (bucket[2] ?? '').split('/').filter((part) => part !== '');
  return {
    kind: 'bucket' as const,
    bucket: bucket[1] ?? '',
    /** Empty, or with a slash at its end. */
    prefix: folders.map((part) => `${part}/`).join(''),
    region: environment[`${prefix}REGION`] ?? 'us-east-1',
    endpoint: environment[`${prefix}ENDPOINT`] ?? null,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : null,
  };
}
