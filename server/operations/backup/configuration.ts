import { isAbsolute, relative, resolve } from 'node:path';
import * as z from 'zod/mini';

const MINUTE_MS = 60_000;
const units = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS } as const;
const MAXIMUM_EVERY_MS = 31 * units.d;

const everyError = 'BACKUP_EVERY must be a duration from 1m to 31d, such as 30m, 24h or 7d.';
const every = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,4}[mhd]$/, { error: everyError })),
  z.pipe(
    z.transform((text: string) => {
      const unit = text.endsWith('m') ? units.m : text.endsWith('h') ? units.h : units.d;
      return Number(text.slice(0, -1)) * unit;
    }),
    z.number().check(z.maximum(MAXIMUM_EVERY_MS, { error: everyError })),
  ),
);

/** How many hours, days, weeks and months keep their newest backup. */
export interface KeepRule {
  readonly hours: number;
  readonly days: number;
  readonly weeks: number;
  readonly months: number;
}

const DEFAULT_KEEP: KeepRule = { hours: 0, days: 7, weeks: 4, months: 6 };

const keepRule = /^[1-9]\d{0,2}[hdwm](,[1-9]\d{0,2}[hdwm])*$/;

const keep = z.pipe(
  z.string().check(
    z.refine(
      (text) => keepRule.test(text) && new Set(text.match(/[hdwm]/g)).size === text.split(',').length,
      {
        error:
          'BACKUP_KEEP must be numbers of hours, days, weeks and months, each at most once and from 1 to 999, such as 7d,4w,6m.',
      },
    ),
  ),
  z.transform((text: string): KeepRule => {
    const count = (unit: string) =>
      Number.parseInt(text.split(',').find((part) => part.endsWith(unit)) ?? '0', 10);
    return { hours: count('h'), days: count('d'), weeks: count('w'), months: count('m') };
  }),
);

const bucketUrl = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9/_.-]{0,200}))?$/;

const to = z.string().check(
  z.refine((value) => isAbsolute(value) || bucketUrl.test(value), {
    error: 'BACKUP_TO must be the absolute path of a folder, or s3://bucket/prefix.',
  }),
);

const url = (name: string, protocol: RegExp, error: string) =>
  z.string().check(
    z.refine((value) => URL.canParse(value) && protocol.test(new URL(value).protocol), {
      error: `${name} must be ${error}.`,
    }),
  );

/** The environment variables of periodic backups. */
export const backupVariables = {
  BACKUP_EVERY: z.optional(every),
  BACKUP_TO: z.optional(to),
  BACKUP_KEEP: z.optional(keep),
  BACKUP_VERIFY_URL: z.optional(
    url(
      'BACKUP_VERIFY_URL',
      /^postgres(ql)?:$/,
      'a PostgreSQL URL, such as postgres://user:password@host:5432/shop_check',
    ),
  ),
  BACKUP_S3_REGION: z.optional(z.string()),
  BACKUP_S3_ENDPOINT: z.optional(url('BACKUP_S3_ENDPOINT', /^https?:$/, 'an http or https URL')),
  BACKUP_S3_ACCESS_KEY_ID: z.optional(z.string()),
  BACKUP_S3_SECRET_ACCESS_KEY: z.optional(z.string()),
};

const Variables = z.object(backupVariables);
type BackupEnvironment = z.infer<typeof Variables> & {
  COOMERCIO_DATA: string;
  DATABASE_URL?: string | undefined;
  DATABASE_DIRECT_URL?: string | undefined;
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

/** Variables that have no effect unless another one is set. */
export const backupDependencies = [
  ['BACKUP_EVERY', 'BACKUP_TO'],
  ['BACKUP_KEEP', 'BACKUP_EVERY'],
  ['BACKUP_VERIFY_URL', 'BACKUP_EVERY'],
] as const;

/** Finds variables of backups that are valid alone but not together. @returns a sentence for each contradiction */
export function findBackupContradictions(environment: BackupEnvironment): string[] {
  const sentences: string[] = [];
  const { BACKUP_TO, BACKUP_VERIFY_URL, COOMERCIO_DATA } = environment;
  const isBucket = BACKUP_TO !== undefined && bucketUrl.test(BACKUP_TO);
  if (!isBucket) {
    for (const name of ownBucketVariables) {
      if (environment[name] === undefined) continue;
      sentences.push(`${name} is set without a bucket in BACKUP_TO and would have no effect.`);
    }
  }
  if (BACKUP_TO !== undefined && !isBucket) {
    const path = relative(resolve(COOMERCIO_DATA), BACKUP_TO);
    if (path === '' || !(path.startsWith('..') || isAbsolute(path))) {
      sentences.push('BACKUP_TO is inside COOMERCIO_DATA: the backups would be lost with the shop’s data.');
    }
  }
  if (
    BACKUP_VERIFY_URL !== undefined &&
    (BACKUP_VERIFY_URL === environment.DATABASE_URL || BACKUP_VERIFY_URL === environment.DATABASE_DIRECT_URL)
  ) {
    sentences.push(
      'BACKUP_VERIFY_URL must lead to another database than the shop’s: it is emptied for each backup.',
    );
  }
  return sentences;
}

/** Where backups are stored. */
export type BackupDestination = NonNullable<ReturnType<typeof readDestination>>;

function readDestination(environment: BackupEnvironment) {
  const { BACKUP_TO } = environment;
  if (BACKUP_TO === undefined) return null;
  const bucket = bucketUrl.exec(BACKUP_TO);
  if (bucket === null) return { kind: 'folder' as const, folder: resolve(BACKUP_TO) };
  const hasOwn = ownBucketVariables.some((name) => environment[name] !== undefined);
  const [region, endpoint, accessKeyId, secretAccessKey] = hasOwn
    ? ownBucketVariables.map((name) => environment[name])
    : [
        environment.S3_REGION,
        environment.S3_ENDPOINT,
        environment.S3_ACCESS_KEY_ID,
        environment.S3_SECRET_ACCESS_KEY,
      ];
  return {
    kind: 'bucket' as const,
    bucket: bucket[1] ?? '',
    /** Empty, or with a slash at its end. */
    prefix: (bucket[2] ?? '')
      .split('/')
      .filter((part) => part !== '')
      .map((part) => `${part}/`)
      .join(''),
    region: region ?? 'us-east-1',
    endpoint: endpoint ?? null,
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
    keep: environment.BACKUP_KEEP ?? DEFAULT_KEEP,
    /** A database in which backups are verified; null for one that the shop creates. */
    verifyUrl: environment.BACKUP_VERIFY_URL ?? null,
  };
}
