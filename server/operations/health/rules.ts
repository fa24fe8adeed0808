import { type HealthCheck, type HealthState, healthStates } from '#contract/operations/health.ts';
import { MINUTE_MS } from '#contract/platform/durations.ts';
import type { LateParcel } from '#contract/sales/shipping.ts';
import type { SmsFigures } from '#server/people/phone-checks/rules.ts';
import { RESERVED_BYTES } from '#server/platform/disk-space.ts';
import type { EventPayload } from '../first-steps/card-account.ts';
import { isUnanswered, type Judgement, judge, type Unanswered } from './check-result.ts';

const GIGABYTE = 1024 ** 3;

/** The worst state of several checks. */
export const worstState = (checks: readonly HealthCheck[]): HealthState =>
  healthStates.findLast((state) => checks.some((check) => check.state === state)) ?? 'fine';

/** Formats bytes with one unit, such as `1.4 GB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${value.toFixed(power === 0 || value >= 100 ? 0 : 1)} ${units[power]}`;
}

/** Formats a duration with its largest unit, such as `3 hours`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const [count, unit] =
    seconds < 120
      ? [seconds, 'second']
      : seconds < 7200
        ? [Math.round(seconds / 60), 'minute']
        : seconds < 172_800
          ? [Math.round(seconds / 3600), 'hour']
          : [Math.round(seconds / 86_400), 'day'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

export interface ShopFigures {
  version: string;
  role: string;
  runningMs: number;
  memoryBytes: number;
}

export function judgeShop({ version, role, runningMs, memoryBytes }: ShopFigures): Judgement {
  return judge('fine', 'This process serves requests.', null, {
    Version: version,
    Role: role,
    'Running for': formatDuration(runningMs),
    Memory: formatBytes(memoryBytes),
  });
}

/** @param missing what the shop does not say about who runs it */
export function judgeIdentity(missing: readonly string[], isLive: boolean): Judgement {
  if (missing.length === 0) return judge('fine', 'The shop says who runs it, or is private.');
  const lacks = `The shop does not state ${new Intl.ListFormat('en').format(missing)}.`;
  const advice = 'Enter it on /dashboard/settings, or declare the shop private there.';
  return isLive
    ? judge('broken', `${lacks} It takes no new bookings and payments.`, advice)
    : judge('look', `${lacks} Before it takes real money, it must.`, advice);
}

export interface DatabaseFigures {
  version: string;
  bytes: number;
  connections: number;
  maxConnections: number;
  /** Processes of the shop that are connected. */
  processes: number;
  migrations: number;
  lastMigration: string;
  /** The last migration that this version of the shop has. */
  knownMigration: string;
}

export function judgeDatabase(measured: DatabaseFigures | Unanswered): Judgement {
  if (isUnanswered(measured)) {
    return judge(
      'broken',
      measured.problem,
      'See whether PostgreSQL runs and whether its log says why it does not.',
    );
  }
  const { connections, maxConnections, lastMigration, knownMigration } = measured;
  const figures = {
    PostgreSQL: measured.version,
    Size: formatBytes(measured.bytes),
    Connections: `${connections} of ${maxConnections}`,
    'Processes of the shop': String(measured.processes),
    Migrations: String(measured.migrations),
    'Last migration': lastMigration,
  };
  if (connections >= maxConnections * 0.8) {
    return judge(
      'look',
      'Few connections are left.',
      'Lower DATABASE_CONNECTIONS, raise max_connections, or use PgBouncer.',
      figures,
    );
  }
  if (lastMigration > knownMigration) {
    return judge(
      'look',
      'A newer version of the shop has migrated the database.',
      'Finish the upgrade: restart this process with the newer version.',
      figures,
    );
  }
  return judge('fine', 'The database answers.', null, figures);
}

export interface JobFigures {
  queued: number;
  active: number;
  /** Jobs that were given up or wait for another attempt, by name. */
  failing: readonly { name: string; count: number }[];
  /** Items of periodic work that failed several times, such as orders whose deadline has passed, by queue. */
  failingItems: readonly { name: string; count: number }[];
  /** How long the oldest due job has waited, in milliseconds; null when none waits. */
  oldestWaitMs: number | null;
}

export function judgeJobs(measured: JobFigures | Unanswered): Judgement {
  if (isUnanswered(measured)) {
    return judge('broken', measured.problem, 'The jobs are in the database: see its check first.');
  }
  const { queued, active, failing, failingItems, oldestWaitMs } = measured;
  const list = (counts: JobFigures['failing']) =>
    counts.map(({ name, count }) => `${name} (${count})`).join(', ');
  const figures = {
    Waiting: String(queued),
    Running: String(active),
    'Oldest waits for': oldestWaitMs === null ? 'none waits' : formatDuration(oldestWaitMs),
    ...(failing.length > 0 && { Failing: list(failing) }),
    ...(failingItems.length > 0 && { Postponed: list(failingItems) }),
  };
  if (oldestWaitMs !== null && oldestWaitMs > 5 * MINUTE_MS) {
    return judge(
      'broken',
      'Jobs wait and nobody does them.',
      'Emails, refunds and payouts are jobs. See whether a process with ROLE=all or ROLE=worker runs.',
      figures,
    );
  }
  if (failingItems.length > 0) {
    return judge(
      'look',
      'Some items of periodic work fail again and again. Each is tried again within an hour; all others go on.',
      'The log has each item with its error (failed (attempt …)).',
      figures,
    );
  }
  if (failing.length > 0) {
    return judge(
      'look',
      'Some jobs fail and are repeated for about a day.',
      'The log names each failed job with its error (a job failed).',
      figures,
    );
  }
  if (oldestWaitMs !== null && oldestWaitMs > MINUTE_MS) {
    return judge('look', 'Jobs wait for more than a minute.', 'Add a process with ROLE=worker.', figures);
  }
  return judge('fine', 'Jobs run as they come.', null, figures);
}

/**
 * The hook itself is not asked: each request to it is a message.
 * @param codesPerDay the most that are sent in a day
 * @param isOn whether the settings say to which numbers, or need not
 */
export function judgeSms(
  measured: SmsFigures | Unanswered,
  {
    codesPerDay,
    isOn,
    isStandIn,
    now,
  }: { codesPerDay: number; isOn: boolean; isStandIn: boolean; now: Date },
): Judgement {
  if (isUnanswered(measured)) {
    return judge('broken', measured.problem, 'The codes are stored in the database; see its check.');
  }
  const { today, last } = measured;
  const figures = {
    'Codes sent today': `${today} of ${codesPerDay}`,
    ...(last && { 'Last one asked for': `${formatDuration(now.getTime() - last.askedAt.getTime())} ago` }),
  };
  if (!isOn) {
    return judge(
      'broken',
      'No code is sent: the settings do not say to which numbers.',
      'Enter the beginnings of your sellers’ numbers on /dashboard/settings, under “Codes by SMS”. Messages to some numbers are expensive.',
      figures,
    );
  }
  if (last?.state === 'not_sent' || last?.state === 'uncertain') {
    return judge(
      'look',
      last.state === 'not_sent'
        ? 'The last code was not sent.'
        : 'It is uncertain whether the last code was sent.',
      'See the log entry “a code for a phone number may not have been sent”.',
      figures,
    );
  }
  if (today >= codesPerDay * 0.8) {
    return judge(
      'look',
      today < codesPerDay ? 'Few codes are left for today.' : 'No more codes are sent today.',
      'On /dashboard/settings, under “Codes by SMS”, allow more of them if sellers need that many; if not, name fewer countries.',
      figures,
    );
  }
  if (isStandIn) {
    return judge(
      'look',
      'A stand-in keeps all messages; none reaches a phone.',
      'Set SMS_HOOK_URL, or leave codes by SMS out, before people use this shop.',
      figures,
    );
  }
  return judge('fine', 'The last code was sent, or none was asked for.', null, figures);
}

export interface BackupFigures {
  /** Null when periodic backups are off. */
  everyMs: number | null;
  /** Milliseconds since they are on with this interval. */
  expectedMs: number;
  /** The last usable backup: one that its verification did not refute. */
  last: { ageMs: number; bytes: number; durationMs: number } | null;
  /** Why that one was not verified; null when it was. */
  unverified: string | null;
  /** Why the last attempt failed; null after a usable backup. */
  failure: string | null;
}

export function judgeBackups(measured: BackupFigures | Unanswered): Judgement {
  if (isUnanswered(measured)) {
    return judge('broken', measured.problem, 'The state of backups is in the database: see its check first.');
  }
  const { everyMs, last, unverified, failure } = measured;
  if (everyMs === null) {
    return judge(
      'look',
      'The shop makes no backups.',
      'Set BACKUP_TO and, on /dashboard/settings, under “Backups”, how often, or be sure that something else backs up the database and the photos.',
    );
  }
  const figures = {
    'Last backup': last === null ? 'none' : `${formatDuration(last.ageMs)} ago`,
    ...(last !== null && {
      Size: formatBytes(last.bytes),
      'It took': formatDuration(last.durationMs),
      Verification: unverified === null ? 'passed' : 'not done',
    }),
    Every: formatDuration(everyMs),
  };
  if (Math.min(last?.ageMs ?? Number.POSITIVE_INFINITY, measured.expectedMs) > 2 * everyMs) {
    return judge(
      'broken',
      'The last usable backup is too old.',
      failure ?? 'See whether a process with ROLE=all or ROLE=worker runs, and what its log says.',
      figures,
    );
  }
  if (failure !== null) return judge('look', 'The last backup failed and is tried again.', failure, figures);
  if (unverified !== null) return judge('look', 'The last backup was not verified.', unverified, figures);
  if (last === null) return judge('look', 'The first backup has not ended yet.', null, figures);
  return judge('fine', 'Backups are made, and restored to verify them.', null, figures);
}

/** A provider outside the shop, or its stand-in. */
export interface ProviderFigures {
  answeredMs: number;
  isStandIn: boolean;
}

const providers = {
  email: {
    fine: 'The mail server accepts the shop.',
    standIn: {
      finding: 'The stand-in keeps all emails: nobody receives them.',
      advice: 'Set SMTP_URL before people use this shop.',
    },
    advice: 'Emails wait as jobs for about a day. See whether SMTP_URL is right and the mail server runs.',
  },
  payments: {
    fine: 'The card processor answers.',
    standIn: {
      finding: 'The stand-in answers: no card is ever charged.',
      advice: 'Set STRIPE_SECRET_KEY and the keys beside it before people use this shop.',
    },
    advice:
      'Payments are refused meanwhile, and nobody is charged twice. See the card processor’s status page and the keys.',
  },
} as const;

/** @param measured null when the provider cannot be asked */
export function judgeProvider(
  kind: keyof typeof providers,
  measured: ProviderFigures | Unanswered | null,
): Judgement {
  const { fine, standIn, advice } = providers[kind];
  if (measured === null) return judge('look', 'It cannot be asked.');
  if (isUnanswered(measured)) return judge('broken', measured.problem, advice);
  const figures = { 'Answered in': `${Math.round(measured.answeredMs)} ms` };
  return measured.isStandIn
    ? judge('look', standIn.finding, standIn.advice, figures)
    : judge('fine', fine, null, figures);
}

/** @param missingEvents what the card processor does not send this shop, though it needs it */
export function judgePayments(
  measured: ProviderFigures | Unanswered | null,
  missingEvents: readonly EventPayload[] | Unanswered,
): Judgement {
  if (measured === null || isUnanswered(measured)) return judgeProvider('payments', measured);
  if (isUnanswered(missingEvents)) return judge('look', missingEvents.problem);
  if (missingEvents.length === 0) return judgeProvider('payments', measured);
  return judge(
    'broken',
    missingEvents.includes('snapshot')
      ? 'The card processor answers, and sends this shop no events, because their destination there is missing or disabled: refunds that fail and disputes are noticed late or never.'
      : 'The card processor sends this shop no events about sellers’ accounts, because their destination there is missing or disabled: whether a seller can be paid is noticed late.',
    'Connect it on /dashboard/firstSteps, which creates what is missing.',
  );
}

export type PhotoFigures =
  | { kind: 'disk'; freeBytes: number; totalBytes: number }
  | { kind: 'bucket'; description: string; answeredMs: number }
  | { kind: 'other' };

export function judgePhotos(measured: PhotoFigures | Unanswered): Judgement {
  if (isUnanswered(measured)) {
    return judge('broken', measured.problem, 'Photos cannot be shown or added until their storage answers.');
  }
  if (measured.kind === 'other')
    return judge('fine', 'Photos are at another image host, which is not asked.');
  if (measured.kind === 'bucket') {
    return judge('fine', `Photos are in ${measured.description}, which answers.`, null, {
      'Answered in': `${Math.round(measured.answeredMs)} ms`,
    });
  }
  const { freeBytes, totalBytes } = measured;
  const figures = { Free: `${formatBytes(freeBytes)} of ${formatBytes(totalBytes)}` };
  const advice = 'Delete what is not needed on this disk, or make it larger.';
  if (freeBytes < RESERVED_BYTES)
    return judge('broken', 'The disk of the photos is full: no photo is added.', advice, figures);
  if (freeBytes < 5 * GIGABYTE)
    return judge('look', 'The disk of the photos is nearly full.', advice, figures);
  return judge('fine', 'Photos are on this machine’s disk.', null, figures);
}

/** @param measured how many parcels are late, by their state */
export function judgeParcels(measured: Record<LateParcel['state'], number> | Unanswered): Judgement {
  if (isUnanswered(measured)) return judge('broken', measured.problem);
  const { to_ship, shipped, arrived_late } = measured;
  const late = to_ship + shipped + arrived_late;
  const figures = {
    'Not sent': String(to_ship),
    'Not arrived': String(shipped),
    'Arrived too late': String(arrived_late),
  };
  if (late === 0) return judge('fine', 'No parcel is late.', null, figures);
  return judge(
    'look',
    `${late === 1 ? 'One parcel is' : `${late} parcels are`} late: the price goes back by itself soon, or the money has gone the other way.`,
    'Both people were told. See them under Complaints, Late parcels.',
    figures,
  );
}

export interface CarrierFigures extends ProviderFigures {
  labels: { buying: number; voiding: number; claims: number };
}

/** Of carriers whose labels the shop buys. */
export function judgeCarriers(measured: CarrierFigures | Unanswered): Judgement {
  if (isUnanswered(measured)) {
    return judge(
      'broken',
      measured.problem,
      'Sellers use labels of their own meanwhile. See the status page of EasyPost, its balance, and EASYPOST_API_KEY.',
    );
  }
  const { answeredMs, isStandIn, labels } = measured;
  const figures = {
    'Answered in': `${Math.round(answeredMs)} ms`,
    'Labels being bought': String(labels.buying),
    'Labels waiting for their money': String(labels.voiding),
    'Open insurance claims': String(labels.claims),
  };
  if (labels.claims > 0) {
    return judge(
      'look',
      `${labels.claims === 1 ? 'An insured parcel is' : `${labels.claims} insured parcels are`} lost or damaged, or found after the insurance paid.`,
      'Claim the money at EasyPost or give it back, and record that under Complaints, Insured parcels.',
      figures,
    );
  }
  if (isStandIn) {
    return judge(
      'look',
      'The stand-in sells labels that no carrier knows.',
      'Set EASYPOST_API_KEY, or SANDBOX=0 for labels of sellers’ own, before people use this shop.',
      figures,
    );
  }
  return judge('fine', 'Carriers answer.', null, figures);
}

export interface SearchFigures {
  isLoaded: boolean;
  laptops: number;
  bytes: number;
  ageMs: number;
  waiting: number;
}

/** @param measured null in a process without a search index */
export function judgeSearch(measured: SearchFigures | null): Judgement {
  if (measured === null) return judge('fine', 'This process has no search index.');
  const { isLoaded, laptops, bytes, ageMs, waiting } = measured;
  if (!isLoaded) {
    return judge('look', 'The search index is being loaded, and searches wait.', 'Look again in a minute.');
  }
  const figures = {
    Laptops: laptops.toLocaleString('en'),
    Memory: formatBytes(bytes),
    'Behind the database by': `at most ${formatDuration(ageMs)}`,
    'Searches that wait': String(waiting),
  };
  if (ageMs > MINUTE_MS) {
    return judge(
      'look',
      'The search does not follow the database.',
      'New and sold laptops show late. The log says why (the search index cannot be updated).',
      figures,
    );
  }
  return judge('fine', 'The search has all laptops.', null, figures);
}
