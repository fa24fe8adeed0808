import { type RawBuilder, sql } from 'kysely';

const escapePattern = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/**
 * Returns ILIKE patterns for names and e-mail addresses. The trigram indexes need three letters or digits in a row, or the
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
