import { type Health, type HealthSubject, healthSubjects } from '#contract/operations/health.ts';
import { missingIdentity } from '#contract/platform/shop-settings.ts';
import type { PhotoStorage } from '#server/listings/photos/storage.ts';
import type { BalanceReader } from '#server/money/accounting/balance-reader.ts';
import type { EmailSender } from '#server/people/notifications/email-sender.ts';
import { sendsCodes } from '#server/people/phone-checks/rules.ts';
import { readSending } from '#server/people/phone-checks/steps.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { readDiskSpace } from '#server/platform/disk-space.ts';
import type { Carriers } from '#server/sales/shipping/carriers.ts';
import { countLabels, countLateParcels } from '#server/sales/shipping/steps.ts';
import { readBackupState } from '../backup/store.ts';
import { type ConnectionDependencies, findMissingEvents } from '../first-steps/actions.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { ask } from './ask-with-timeout.ts';
import type { Judgement } from './check-result.ts';
import { checkMoney, type MoneyDependencies } from './money.ts';
import * as rules from './rules.ts';
import * as store from './store.ts';

/** The part of the photos' storage that is asked. */
type AskedStorage = Pick<PhotoStorage, 'description' | 'has'>;

export interface HealthDependencies extends MoneyDependencies, Omit<ConnectionDependencies, 'shop'> {
  /** Whether the shop takes real money, so that it must say who it is. */
  isLive: boolean;
  metrics: Pick<Metrics, 'searchIndex'>;
  emailSender: Pick<EmailSender, 'verify'>;
  /** The card processor's balance; null when it cannot be read. */
  balance: BalanceReader | null;
  /** Null when no hook sends text messages. */
  sms: { needsPrefixes: boolean } | null;
  /** Null when the shop buys no labels. */
  carriers: Pick<Carriers, 'verify'> | null;
  /** Null for another image host. */
  photoStorage: AskedStorage | null;
  /** What the process knows about itself. */
  self: {
    version: string;
    role: string;
    /** The folder of photos on disk; null when they are elsewhere. */
    photoFolder: string | null;
    standIns: { email: boolean; sms: boolean; payments: boolean; carriers: boolean };
    /** Whether a secret of the card processor's events is configured: then the owner created their destination. */
    hasEventSecret: boolean;
  };
}

/** For how long an answer is given again, in milliseconds: many admins cost as much as one. */
const KEEP_MS = 5_000;

/** @returns milliseconds */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const askProvider = async (
  work: () => Promise<unknown>,
  isStandIn: boolean,
): Promise<rules.ProviderFigures> => ({ answeredMs: await timeOf(work), isStandIn });

async function measureBackups(database: Database, now: Date): Promise<rules.BackupFigures> {
  const state = await readBackupState(database);
  return {
    everyMs: state.every_ms === null ? null : Number(state.every_ms),
    expectedMs: state.expected_since === null ? 0 : now.getTime() - state.expected_since.getTime(),
    last: state.last_at && {
      bytes: Number(state.last_bytes),
      durationMs: Number(state.last_duration_ms),
      ageMs: now.getTime() - state.last_at.getTime(),
    },
    unverified: state.unverified,
    failure: state.failure,
  };
}

/** Whether periodic backups are on and fail, or the last one is too old. */
export async function areBackupsFailing(database: Database, now: Date): Promise<boolean> {
  const figures = await measureBackups(database, now);
  if (figures.everyMs === null) return false;
  return figures.failure !== null || rules.judgeBackups(figures).state === 'broken';
}

async function measurePhotos(
  storage: AskedStorage | null,
  folder: string | null,
): Promise<rules.PhotoFigures> {
  if (folder !== null) {
    return { kind: 'disk', ...(await readDiskSpace(folder)) };
  }
  if (storage === null) return { kind: 'other' };
  const answeredMs = await timeOf(() => storage.has('health'));
  return { kind: 'bucket', description: storage.description, answeredMs };
}

function measureSearch({ searchIndex }: Pick<Metrics, 'searchIndex'>): rules.SearchFigures | null {
  const figures = searchIndex();
  return (
    figures && {
      isLoaded: figures.isLoaded(),
      laptops: figures.count(),
      bytes: figures.size(),
      ageMs: figures.ageMs(),
      waiting: figures.waiting(),
    }
  );
}

/** Checks each part of the shop. */
async function checkAll(dependencies: HealthDependencies, now: Date): Promise<Health> {
  const { database, metrics, emailSender, balance, sms, carriers, photoStorage, self } = dependencies;
  const { version, role, photoFolder, standIns, hasEventSecret } = self;
  const shop = dependencies.shop();
  const minuteAgo = new Date(now.getTime() - 60_000);
  const money = checkMoney(dependencies);
  /** Null for a part that this shop does not have. */
  const judgements: Record<HealthSubject, Judgement | Promise<Judgement> | null> = {
    shop: rules.judgeShop({
      version,
      role,
      runningMs: process.uptime() * 1000,
      memoryBytes: process.memoryUsage.rss(),
    }),
    identity: rules.judgeIdentity(missingIdentity(shop), dependencies.isLive),
    database: ask('The database', () => store.readDatabase(database)).then(rules.judgeDatabase),
    jobs: ask('The queue', () => store.readJobs(database)).then(rules.judgeJobs),
    backups: ask('The state of backups', () => measureBackups(database, now)).then(rules.judgeBackups),
    email: ask('The mail server', () => askProvider(() => emailSender.verify(), standIns.email)).then(
      (measured) => rules.judgeProvider('email', measured),
    ),
    sms:
      sms &&
      ask('The state of codes by SMS', () => readSending(database)).then((measured) =>
        rules.judgeSms(measured, {
          codesPerDay: shop.smsCodesPerDay,
          isOn: sendsCodes(sms, shop.smsPrefixes),
          isStandIn: standIns.sms,
          now,
        }),
      ),
    payments: Promise.all([
      balance &&
        ask('The card processor', () =>
          askProvider(
            () => balance.listBalanceTransactions({ from: minuteAgo, until: now, cursor: null, limit: 1 }),
            standIns.payments,
          ),
        ),
      hasEventSecret
        ? []
        : ask('The list of what the card processor sends', () => findMissingEvents(dependencies)),
    ]).then(([measured, missingEvents]) => rules.judgePayments(measured, missingEvents)),
    balance: money.then((judged) => judged.balance),
    commission: money.then((judged) => judged.commission),
    parcels: ask('The state of parcels', () => countLateParcels(database)).then(rules.judgeParcels),
    carriers:
      carriers &&
      ask('The carriers', async () => ({
        ...(await askProvider(() => carriers.verify(), standIns.carriers)),
        labels: await countLabels(database),
      })).then(rules.judgeCarriers),
    photos: ask('The storage of photos', () => measurePhotos(photoStorage, photoFolder)).then(
      rules.judgePhotos,
    ),
    search: rules.judgeSearch(measureSearch(metrics)),
  };
  const checks = await Promise.all(
    healthSubjects.map(async (subject) => {
      const judgement = await judgements[subject];
      return judgement === null ? [] : [{ subject, ...judgement }];
    }),
  );
  return { checkedAt: now.toISOString(), state: rules.worstState(checks.flat()), checks: checks.flat() };
}

/** Creates the check of the whole shop. Each part has a time limit, and concurrent and close calls share one check. */
export function createHealthCheck(dependencies: HealthDependencies): () => Promise<Health> {
  let kept: { health: Promise<Health>; begunAt: number } | null = null;
  return () => {
    if (kept === null || performance.now() - kept.begunAt > KEEP_MS) {
      kept = { health: checkAll(dependencies, new Date()), begunAt: performance.now() };
    }
    return kept.health;
  };
}
