import { sql } from 'kysely';
import type { AuditAction } from '#contract/people/audit.ts';
import { type Page, type PageRequest, readPage } from '#server/platform/database/keyset-page.ts';
import type { Reader } from '#server/platform/database/tables.ts';
import type { AuditRow } from './rules.ts';

/** Within this time, in minutes, an admin who reads the same again is not recorded again: pages are read anew by themselves. */
const SAME_READ_MINUTES = 10;

/** Records that an admin has read what belongs to others. */
export async function recordRead(
  database: Reader,
  adminId: string,
  { act, subject }: { act: Extract<AuditAction, `Read ${string}`>; subject: string },
): Promise<void> {
  await sql`
    insert into audit_entries (admin_id, act, subject, note)
    select ${adminId}, ${act}, ${subject}, ''
     where not exists (select from audit_entries
                        where admin_id = ${adminId} and act = ${act} and subject = ${subject}
                          and created_at > now() - ${SAME_READ_MINUTES}::int * interval '1 minute')`.execute(
    database,
  );
}

/** The names and addresses of whom an entry concerns, as their accounts have them now. */
const people = sql<string[] | null>`(
  select array_agg(concerned.name || ', ' || concerned.email order by position)
    from unnest(audit_entries.person_ids) with ordinality as ids (id, position)
    join users as concerned using (id))`;

/** Lists the audit trail, newest first. @param acts only these actions; null for all */
export function list(
  reader: Reader,
  request: PageRequest,
  acts: readonly AuditAction[] | null,
): Promise<Page<AuditRow>> {
  const query = reader
    .selectFrom('audit_entries')
    .leftJoin('users', 'users.id', 'audit_entries.admin_id')
    .selectAll('audit_entries')
    .select(['users.name as admin_name', 'users.email as admin_email', people.as('people')])
    .$if(acts !== null, (listed) => listed.where('act', 'in', acts ?? []));
  return readPage(query, 'audit_entries.number', request);
}

/** Lists the latest entries about each of these laptops, at most `limit` per laptop, oldest first. */
export async function latestAuditOfLaptops(
  reader: Reader,
  laptopIds: readonly string[],
  limit: number,
): Promise<AuditRow[]> {
  const { rows } = await sql<AuditRow>`
    select latest.* from unnest(${laptopIds}::uuid[]) as requested (laptop_id),
           lateral (select audit_entries.*, users.name as admin_name, users.email as admin_email, ${people} as people
                      from audit_entries left join users on users.id = audit_entries.admin_id
                     where audit_entries.laptop_id = requested.laptop_id
                     order by audit_entries.number desc limit ${sql.lit(limit)}) as latest
     order by latest.number`.execute(reader);
  return rows;
}

/** Counts the entries of an admin's actions. */
export async function countAuditByAdmin(reader: Reader, adminId: string): Promise<number> {
  const { count } = await reader
    .selectFrom('audit_entries')
    .select((select) => select.fn.countAll<string>().as('count'))
    .where('admin_id', '=', adminId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
