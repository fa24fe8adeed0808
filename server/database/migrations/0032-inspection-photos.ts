import { type Kysely, sql } from 'kysely';

/**
 * Photos that admins add to their decisions, and the trigger that keeps decisions as they are. As for `laptop_photos`, a
 * trigger derives which decision shows which photo, so that no unused photo is searched in arrays.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table inspection_photos (
      inspection_id uuid not null references inspections (id) on delete cascade,
      position integer not null,
      photo_hash text not null references photos (hash),
      primary key (inspection_id, position)
    );
    create index inspections_of_measurement on inspections (measurement_id);
    create index inspection_photos_of_a_photo on inspection_photos (photo_hash);
    create function add_inspection_photos() returns trigger language plpgsql as $$
      begin
        insert into inspection_photos
        select new.id, shown.place, shown.photo_hash from photos_in(new.photos) as shown
         where shown.url like '/%';
        return null;
      end
    $$;
    create trigger inspection_added after insert on inspections
      for each row execute function add_inspection_photos();

    create function keep_inspections() returns trigger language plpgsql as $$
      begin
        -- Foreign keys may remove the decision with its laptop or measurement, and the reference to its admin.
        if pg_trigger_depth() > 1 then
          return coalesce(new, old);
        end if;
        raise exception 'inspections are never changed';
      end
    $$;
    create trigger inspections_stay before update or delete on inspections
      for each row execute function keep_inspections();
  `.execute(database);
}
