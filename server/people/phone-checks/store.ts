import { sql } from 'kysely';
import { PHONE_CODE_MINUTES } from '#contract/people/phone-checks.ts';
import type { Database, Reader, Row, Transaction } from '#server/platform/database/tables.ts';
import { SHOP_SUBJECT, type SmsFigures } from './rules.ts';

/** The codes that a user asked for within a time. `oldestAt` is null without any. */
interface AskedCodes {
  count: number;
  oldestAt: Date | null;
}

/** Counts the codes that a user asked for within the last hour and within the last day. */
export async function countAsked(
  reader: Reader,
  userId: string,
): Promise<{ hour: AskedCodes; day: AskedCodes }> {
  const { rows } = await sql<{ hour: number; hour_from: Date | null; day: number; day_from: Date | null }>`
    select count(*) filter (where is_recent)::int as hour, min(asked_at) filter (where is_recent) as hour_from,
           count(*)::int as day, min(asked_at) as day_from
      from (select asked_at, asked_at > now() - interval '1 hour' as is_recent from phone_codes
             where user_id = ${userId} and asked_at > now() - interval '1 day') as asked
  `.execute(reader);
  const [row] = rows;
  return {
    hour: { count: row?.hour ?? 0, oldestAt: row?.hour_from ?? null },
    day: { count: row?.day ?? 0, oldestAt: row?.day_from ?? null },
  };
}

/**
 * Counts one code of this day in UTC. The row's lock makes concurrent transactions wait for each other.
 * @returns false, and counts nothing, when the limit is reached
 */
export async function takeDailyQuota(
  transaction: Transaction,
  subject: string,
  limit: number,
): Promise<boolean> {
  const { rows } = await sql`
    insert into phone_code_counts as counted (day, subject, count)
      values ((now() at time zone 'utc')::date, ${subject}, 1)
      on conflict (day, subject) do update set count = counted.count + 1 where counted.count < ${limit}
      returning count
  `.execute(transaction);
  return rows.length > 0;
}

/** Takes back what {@link takeDailyQuota} counted, of the day of a code. */
async function returnDailyQuota(
  transaction: Transaction,
  askedAt: Date,
  subjects: readonly string[],
): Promise<void> {
  // One after the other, in the order in which they were counted.
  for (const subject of subjects) {
    await sql`
      update phone_code_counts set count = count - 1
       where day = (${askedAt}::timestamptz at time zone 'utc')::date and subject = ${subject} and count > 0
    `.execute(transaction);
  }
}

/** Inserts a code that waits for its job. @returns its id */
export async function insert(transaction: Transaction, userId: string, phone: string): Promise<string> {
  const { id } = await transaction
    .insertInto('phone_codes')
    .values({
      user_id: userId,
      phone,
      expires_at: sql<Date>`now() + ${PHONE_CODE_MINUTES}::int * interval '1 minute'`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The latest code of a user, whatever its state, and whether it has not expired. */
export function findLatest(
  reader: Reader,
  userId: string,
): Promise<(Row<'phone_codes'> & { is_current: boolean }) | undefined> {
  return reader
    .selectFrom('phone_codes')
    .selectAll()
    .select(sql<boolean>`expires_at > now()`.as('is_current'))
    .where('user_id', '=', userId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Marks a waiting code as being sent, so that no other run of its job sends it.
 * @returns undefined when it was taken before, has expired, or a later code has replaced it
 */
export function claimForSending(database: Database, id: string): Promise<Row<'phone_codes'> | undefined> {
  return database
    .updateTable('phone_codes')
    .set({ state: 'sending' })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('expires_at', '>', sql<Date>`now()`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('phone_codes as later')
            .select('later.id')
            .whereRef('later.user_id', '=', 'phone_codes.user_id')
            .whereRef('later.number', '>', 'phone_codes.number'),
        ),
      ),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Stores the outcome of sending a code. @returns undefined when its state was none of `from` */
export async function setOutcome(
  reader: Reader,
  id: string,
  { from, to }: { from: readonly Row<'phone_codes'>['state'][]; to: 'sent' | 'not_sent' | 'uncertain' },
): Promise<Row<'phone_codes'> | undefined> {
  return reader
    .updateTable('phone_codes')
    .set({ state: to })
    .where('id', '=', id)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Stores that a code was not sent, and takes it out of the counts of its day.
 * @param subjectsOf the names under which a code to a number was counted, in that order
 */
export function markNotSent(
  database: Database,
  id: string,
  from: Row<'phone_codes'>['state'],
  subjectsOf: (phone: string) => readonly string[],
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    const code = await setOutcome(transaction, id, { from: [from], to: 'not_sent' });
    if (code !== undefined) await returnDailyQuota(transaction, code.asked_at, subjectsOf(code.phone));
  });
}

/** Counts a wrong attempt at a code. */
export async function countWrong(transaction: Transaction, id: string): Promise<void> {
  await transaction
    .updateTable('phone_codes')
    .set(({ eb }) => ({ wrong_attempts: eb('wrong_attempts', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

export async function markUsed(transaction: Transaction, id: string): Promise<void> {
  await transaction
    .updateTable('phone_codes')
    .set({ used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Ends all codes of a user. Their rows stay, because they are counted. */
export async function expireAll(transaction: Transaction, userId: string): Promise<void> {
  await transaction
    .updateTable('phone_codes')
    .set({ expires_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .execute();
}

/** Removes all codes of a user. */
export async function removeCodesOf(transaction: Transaction, userId: string): Promise<void> {
  await transaction.deleteFrom('phone_codes').where('user_id', '=', userId).execute();
}

export async function readSending(reader: Reader): Promise<SmsFigures> {
  const counted = await sql<{ count: number }>`
    select count from phone_code_counts
     where day = (now() at time zone 'utc')::date and subject = ${SHOP_SUBJECT}`.execute(reader);
  const last = await reader
    .selectFrom('phone_codes')
    .select(['state', 'asked_at'])
    .orderBy('asked_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    today: counted.rows[0]?.count ?? 0,
    last: last === undefined ? null : { state: last.state, askedAt: last.asked_at },
  };
}

/** Removes codes and counts that no limit needs any more. */
export async function removeOld(database: Database): Promise<void> {
  await sql`delete from phone_codes where asked_at < now() - interval '1 day'`.execute(database);
  await sql`delete from phone_code_counts where day < (now() at time zone 'utc')::date - 1`.execute(database);
}
