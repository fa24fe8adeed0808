import { CompiledQuery } from 'kysely';
import type { LimitName } from '#contract/platform/endpoint.ts';
import { type CountedQuota, createQuotaStore, ipQuotas, quotaKey } from '#rate-limits/quotas.ts';
import { markAsPrepared } from '../database/prepared-statements.ts';
import type { Database } from '../database/tables.ts';
import { formatWait, Refusal } from './refusal.ts';

/** The time over which a quota is refilled evenly. The whole quota can be used at once. */
const QUOTA_SECONDS = 3600;

/** How often an action is possible in an hour, and what a refusal says. */
interface Limit {
  account?: number;
  address?: number;
  sentence: string;
}

/** Several times what a busy user needs. */
const USUAL_OF_ACCOUNT = 60;
/** Enough for a school or an office behind one address, and far below an automated attack. */
const USUAL_OF_ADDRESS = 600;

/** The rate limits, each with the numbers that differ from the usual ones. */
const limits: Record<LimitName | 'upload' | 'contacts', Limit> = {
  // Needed once per account, but each sign-in with Google calls it too (specification).
  registration: { account: 20, sentence: 'Many accounts were made from here within a short time.' },
  // Tells whether an address is a seller's. A seller's own is read with each visit of Add Product.
  lookingUp: { sentence: 'You have looked up many sellers within a short time.' },
  // The export can be large and is rarely needed twice.
  export: {
    account: 10,
    address: 100,
    sentence: 'You have asked for your data many times within a short time.',
  },
  // A browser subscribes once for each sign-in.
  subscribing: { sentence: 'Push messages were turned on many times within a short time.' },
  // Enough for forty laptops with three photos each.
  upload: { account: 150, sentence: 'You have uploaded many photos within a short time.' },
  // Different sellers whose contacts a signed-in person sees: 25 pages of a category an hour. More than a page of the API shows.
  contacts: {
    account: 300,
    address: 1200,
    sentence: 'You have seen the contacts of many sellers within a short time.',
  },
  // Lists show the name, so each change clears the response cache.
  renaming: { account: 20, sentence: 'You have changed your name many times within a short time.' },
  // Each new laptop is public and removes cached lists and pages.
  listing: { sentence: 'You have listed many laptops within a short time.' },
  // Each is an email to an address that an owner typed.
  inviting: {
    account: 40,
    address: 80,
    sentence: 'You have sent many invitations within a short time. This one was not sent.',
  },
  // Nobody guesses a token of 256 bits.
  invitation: { address: 300, sentence: 'Invitations were opened many times from here within a short time.' },
  // Each saved search can cause emails.
  saving: { account: 120, sentence: 'You have saved or changed many searches within a short time.' },
  // Codes are asked for and reports sent. Nobody guesses a code of 60 bits in this way.
  measuring: {
    address: 300,
    sentence: 'There were many measurements from here within a short time, and this one was not kept.',
  },
  // Each new price is told to the buyers who booked the laptop.
  editing: { sentence: 'You have changed laptops many times within a short time.' },
  // Each renders a whole text of the blog or a page, with its code in colours.
  previewing: {
    account: 600,
    address: 1200,
    sentence: 'You have looked at many previews within a short time. What you wrote is kept in the form.',
  },
  // The home page shows the latest twelve, so one seller must not fill it for long.
  advertising: { sentence: 'You have advertised many laptops within a short time.' },
  // Each booking sends an email to a seller.
  booking: { sentence: 'You have booked many laptops within a short time.' },
  // An admin has to review each report.
  reporting: {
    account: 30,
    address: 300,
    sentence: 'You have sent many reports within a short time.',
  },
  // An open payment page renews its payment window every minute, or its place in line every 30 s. The card processor limits card
  // testing: this call submits no card.
  payment: {
    account: 300,
    address: 1200,
    sentence: 'There were many attempts at paying within a short time, and this one did nothing.',
  },
  // A page without a response repeats its report every 30 s; the card was charged before the first one.
  recording: {
    account: 120,
    address: 1200,
    sentence:
      'This payment was reported many times within a short time. The card processor tells the shop of it as well.',
  },
  // Each asks the card processor, and the first creates an account there.
  payout: {
    address: 300,
    sentence: 'You have opened or checked your account at the card processor many times within a short time.',
  },
  // Each is an email, and an admin may have to read it.
  complaining: { sentence: 'You have written much about complaints within a short time.' },
  // Opening, blocking and reporting. How many laptops one can ask about in a day is bounded as well.
  conversing: { sentence: 'You have opened or changed many conversations within a short time.' },
  // A lively conversation has a few messages a minute.
  messaging: {
    account: 240,
    address: 2400,
    sentence: 'You have sent many messages within a short time. This one was not sent.',
  },
  // Each proposal and answer is an email to the other person. The proposals of a day in one conversation are bounded as well.
  meeting: {
    sentence: 'You have proposed or answered many meetings within a short time. Nothing was changed.',
  },
  // Two texts per order.
  reviewing: {
    sentence: 'You have written many reviews or answers within a short time. This one was not stored.',
  },
  // Asking for and typing codes. How many messages are sent is bounded more tightly (server/people/phone-checks/).
  phoneCode: {
    address: 200,
    sentence: 'Phone codes were requested or entered too often from here within a short time.',
  },
  // Beside the lock of each order: nobody hands over hundreds of laptops an hour.
  handOver: { sentence: 'There were many hand-over codes from here within a short time.' },
};
export type LimitedAction = keyof typeof limits;

/** Whose actions are counted. */
export interface LimitSubject {
  /** A permanent id of the account; null to count by the address only. */
  readonly account: string | null;
  /** Null to count by the account only. */
  readonly address: string | null;
}

export interface Limiter {
  /**
   * Counts actions.
   * @param count how many at once, at most the quota; one by default
   * @throws Refusal `too_many_requests` with the time at which so many are possible
   */
  take(limit: LimitedAction, subject: LimitSubject, count?: number): Promise<void>;
  /**
   * Tells how many actions are possible now, without counting any.
   * @param wanted how many are wanted, at most the quota
   * @returns the number, at most `wanted`, and the time at which all that are wanted are possible
   */
  left(
    limit: LimitedAction,
    subject: LimitSubject,
    wanted: number,
  ): Promise<{ count: number; wantedAt: Date }>;
  /** Removes expired entries. */
  sweep(): Promise<void>;
}

/** A limiter without limits, for tests and benchmarks. */
export const unlimited: Limiter = {
  take: async () => undefined,
  left: async (_limit, _subject, wanted) => ({ count: wanted, wantedAt: new Date() }),
  sweep: async () => undefined,
};

/** The quotas under which an action is counted. */
function quotasOf(limit: LimitedAction, { account, address }: LimitSubject): CountedQuota[] {
  const { account: ofAccount = USUAL_OF_ACCOUNT, address: ofAddress = USUAL_OF_ADDRESS } = limits[limit];
  const quota = (count: number) => ({ count, seconds: QUOTA_SECONDS });
  return [
    ...(account === null ? [] : [{ key: quotaKey(limit, 'account', account), ...quota(ofAccount) }]),
    ...(address === null ? [] : ipQuotas(limit, 'address', address, quota(ofAddress))),
  ];
}

/** Counts in the shop's database. */
export function createLimiter(database: Database): Limiter {
  const store = createQuotaStore((text, values) =>
    database.executeQuery(CompiledQuery.raw(markAsPrepared(text), values)),
  );
  return {
    take: async (limit, subject, count = 1) => {
      const seconds = await store.take(quotasOf(limit, subject), count);
      if (seconds === null) return;
      const retryAt = new Date(Date.now() + seconds * 1_000);
      throw new Refusal(
        'too_many_requests',
        `${limits[limit].sentence} Please try again ${formatWait(retryAt)}.`,
        { retryAt },
      );
    },
    left: async (limit, subject, wanted) => {
      const { count, wait } = await store.left(quotasOf(limit, subject), wanted);
      return { count, wantedAt: new Date(Date.now() + wait * 1_000) };
    },
    sweep: store.deleteExpired,
  };
}
