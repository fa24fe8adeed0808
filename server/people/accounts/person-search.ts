import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '#server/platform/database/tables.ts';
import { tooManyMatch } from './refusals.ts';

const escapePattern = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/**
 * Returns ILIKE patterns for names and email addresses. The trigram indexes need three letters or digits in a row, or the
 * beginning of a word.
 */
function patternsOf(search: string): { name: string[]; email: string[] } {
  const text = escapePattern(search);
  return /[\p{L}\p{N}]{3}/u.test(search)
    ? { name: [`%${text}%`], email: [`%${text}%`] }
    : { name: [`${text}%`, `% ${text}%`], email: [`${text}%`] };
}

/**
 * Whether a row of `users` has a text in its name or email address, case-insensitively. A text with fewer than three letters or digits in
 * a row must be at the beginning of a word of the name, or of the address. The indexes cover active buyers and active sellers.
 */
export function matchesPerson(search: string): RawBuilder<boolean> {
  const patterns = patternsOf(search);
  const matches = [
    ...patterns.name.map((pattern) => sql`users.name ilike ${pattern}`),
    ...patterns.email.map((pattern) => sql`users.email ilike ${pattern}`),
  ];
  return sql`(${sql.join(matches, sql` or `)})`;
}

/** Finds the ids of the active buyers and sellers whom a text names. @throws Refusal when more than `maximum` match */
export async function findPeople(reader: Reader, search: string, maximum: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from users
     where (is_buyer and ended_at is null or is_seller and ended_at is null) and ${matchesPerson(search)}
     limit ${sql.lit(maximum + 1)}`.execute(reader);
  if (rows.length > maximum) throw tooManyMatch(maximum);
  return rows.map(({ id }) => id);
}
