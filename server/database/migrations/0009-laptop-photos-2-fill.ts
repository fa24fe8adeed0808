import { type Kysely, sql } from 'kysely';

/** Adds rows for laptops that were listed before the triggers existed. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    insert into laptop_photos
    select laptops.id, shown.place, shown.photo_hash from laptops, photos_in(images) as shown
    on conflict do nothing;
    analyze laptop_photos;
    insert into photos (hash, state)
    select distinct photo_hash, 'listed' from laptop_photos
     where not exists (select from photos where hash = photo_hash)
    on conflict (hash) do nothing;

    -- Checked for new rows only. The next migration validates the existing rows with a lock that blocks no writer.
    -- The tables are locked in the order in which the listing of a laptop locks them.
    lock table photos, laptops, laptop_photos in share row exclusive mode;
    alter table laptop_photos
      add constraint photo_of_a_laptop foreign key (laptop_id) references laptops on delete cascade not valid,
      add constraint shown_photo_is_known foreign key (photo_hash) references photos not valid;
  `.execute(database);
}
