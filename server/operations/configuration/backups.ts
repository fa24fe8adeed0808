import { isAbsolute, relative, resolve } from 'node:path';
import * as z from 'zod/mini';

const MINUTE_MS = 60_000;
const units: Readonly<Record<string, number>> = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS };

const everyError = 'BACKUP_EVERY must be a duration from 1m to 31d, such as 30m, 24h or 7d.';
const every = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,4}[mhd]$/, { error: everyError })),
  z.pipe(
    z.transform((text: string) => Number.parseInt(text, 10) * (units[text.slice(-1)] ?? 0)),
    z.number().check(z.maximum(31 * 24 * 60 * MINUTE_MS, { error: everyError })),
  ),
);

const DEFAULT_KEEP = 14;

const keepError = 'BACKUP_KEEP must be a number of backups from 1 to 999.';
const keep = z.pipe(z.string().check(z.regex(/^[1-9]\d{0,2}$/, { error: keepError })), z.transform(Number));

const bucketUrl = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9/_.-]{0,200}))?$/;

const to = z.string().check(
  z.refine((value) => isAbsolute(value) || bucketUrl.test(value), {
    error: 'BACKUP_TO must be the absolute path of a folder, or s3://bucket/prefix.',
  }),
);

/** The environment variables of periodic backups. */
export const backupVariables = {
  BACKUP_EVERY: z.optional(every),
  BACKUP_TO: z.optional(to),
  BACKUP_KEEP: z.optional(keep),
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

/** Variables that have no effect unless another one is set. */
export const backupDependencies = [
  ['BACKUP_EVERY', 'BACKUP_TO'],
  ['BACKUP_KEEP', 'BACKUP_EVERY'],
] as const;

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
export type DestinationSettings = NonNullable<ReturnType<typeof readDestination>>;

function readDestination(environment: BackupEnvironment) {
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

/** The settings of periodic backups. They are complete when `everyMs` is not null. */
export function readBackups(environment: BackupEnvironment) {
  return {
    /** The interval in milliseconds; null when periodic backups are off. */
    everyMs: environment.BACKUP_EVERY ?? null,
    /** Null when no stored backups are configured. */
    to: readDestination(environment),
    /** How many backups are kept. */
    keep: environment.BACKUP_KEEP ?? DEFAULT_KEEP,
  };
}
