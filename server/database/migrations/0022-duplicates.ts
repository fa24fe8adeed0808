import { type Kysely, sql } from 'kysely';

/**
 * Reports by the shop itself about two listings with the same laptop, part or photo. Triggers note each laptop that must
 * be compared with the others, in the transaction that gives the reason: of two concurrent transactions, the note of the
 * one that commits last is read when both are visible.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table reports
      -- Null if and only if the shop itself reports the laptop.
      alter column reporter_id drop not null,
      -- The listing with the same laptop, part or photo.
      add column other_laptop_id uuid references laptops,
      -- Entries of laptops.images, which may have been removed since.
      add column photo text,
      add column other_photo text,
      drop constraint reports_reason_check,
      add constraint reports_reason_check check (
        case when reporter_id is null
          then reason in ('Same laptop', 'Same part', 'Same photo')
          else reason in ('Counterfeit', 'Not as described', 'Stolen', 'Prohibited', 'Other')
        end
      ),
      add constraint report_by_the_shop check (
        (reporter_id is null) = (other_laptop_id is not null) and other_laptop_id <> laptop_id
      ),
      add constraint report_of_photos check (
        (photo is not null) = (reason = 'Same photo') and (photo is null) = (other_photo is null)
      );
    create unique index reported_by_the_shop_once on reports (laptop_id, other_laptop_id, reason)
      where reporter_id is null;

    create index measurements_of_part on measurements using gin (part_hashes);

    create table laptops_to_compare (
      number bigint generated always as identity primary key,
      laptop_id uuid not null references laptops on delete cascade
    );
    create function note_laptop_to_compare() returns trigger language plpgsql as $$
      begin
        insert into laptops_to_compare (laptop_id) values (new.laptop_id);
        return null;
      end
    $$;
    create trigger measured_laptop_to_compare after insert on measurements
      for each row execute function note_laptop_to_compare();
    create trigger stolen_laptop_to_compare after insert on reports for each row
      when (new.reason = 'Stolen') execute function note_laptop_to_compare();
    create function note_relisted_laptop() returns trigger language plpgsql as $$
      begin
        insert into laptops_to_compare (laptop_id) values (new.id);
        return null;
      end
    $$;
    create trigger relisted_laptop_to_compare after update of state on laptops for each row
      when (old.state <> 'available' and new.state = 'available') execute function note_relisted_laptop();

    insert into laptops_to_compare (laptop_id) select distinct laptop_id from measurements;
  `.execute(database);
}
