import { type Kysely, sql } from 'kysely';

/**
 * Since when the measurements, browser checks and inspections of a laptop count. Earlier ones are kept and say nothing about it any
 * more: a buyer sent the laptop back as not working or not as described, or it was not for sale for a long time.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    set constraints all immediate;
    alter table laptops
      -- In whole milliseconds, because the shop compares it with times of measurements in milliseconds.
      add column evidence_since timestamptz check (evidence_since = date_trunc('milliseconds', evidence_since)),
      add column evidence_ended text check (evidence_ended in ('returned', 'absent')),
      add constraint ended_evidence_has_time check ((evidence_since is null) = (evidence_ended is null)),
      add constraint level_has_evidence check (level_at >= evidence_since);

    alter table certificate_versions
      drop constraint certificate_versions_revocation_reason_check,
      add constraint certificate_versions_revocation_reason_check check (
        revocation_reason in ('contradicted', 'lock_found', 'taken_down', 'withdrawn', 'account_deleted', 'returned')
      );

    create function check_returned_laptop() returns trigger language plpgsql as $$
      begin
        if not exists (
          select from measurements where laptop_id = new.id and measured_at >= new.evidence_since
        ) then
          raise exception 'a laptop that a buyer sent back is measured before it is for sale again'
            using errcode = 'check_violation', constraint = 'returned_is_measured', table = 'laptops';
        end if;
        return new;
      end
    $$;
    create trigger returned_laptops_are_measured before update of state on laptops for each row
      when (old.state in ('sold', 'withdrawn') and new.state = 'available' and new.evidence_ended = 'returned')
      execute function check_returned_laptop();
  `.execute(database);
  await endEvidenceOfReturnedLaptops(database);
}

/** What buyers said before this version: the latest complaint about an order that ended with the laptop at its seller. */
async function endEvidenceOfReturnedLaptops(database: Kysely<never>): Promise<void> {
  await sql`
    update laptops
       set evidence_since = ended.at, evidence_ended = 'returned',
           level = case when level_at >= ended.at then level else 'word' end,
           level_at = case when level_at >= ended.at then level_at end
      from (
        select distinct on (orders.laptop_id) orders.laptop_id, date_trunc('milliseconds', orders.state_since) as at,
               (select kind from complaints where order_id = orders.id order by nth desc limit 1) as kind
          from orders where not orders.stands
         order by orders.laptop_id, orders.number desc
      ) as ended
     where laptops.id = ended.laptop_id and laptops.state <> 'sold' and ended.kind <> 'not_handed_over'
  `.execute(database);
}
