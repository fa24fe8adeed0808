import { type Kysely, sql } from 'kysely';

/**
 * Records which laptop shows which photo of the built-in host, so that an index can be used instead of reading all laptops.
 *
 * Triggers derive the rows from `laptops.images`, so the previous version, which may run concurrently, updates them as
 * well. There are three migrations with a transaction each, so that a large table is not locked for long: this one adds
 * the triggers, the second adds rows for existing laptops without a lock, and the third validates them.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    create table laptop_photos (
      laptop_id uuid not null,
      position integer not null,
      photo_hash text not null,
      primary key (laptop_id, position)
    );
    create index laptop_photos_of_a_photo on laptop_photos (photo_hash);

    -- Not one regular expression: PostgreSQL takes a hundred times as long to match the quantifier {64}.
    create function photos_in(images text[]) returns table (place integer, url text, photo_hash text)
      language sql immutable as $$
        select ordinality::integer, url, hash
          from unnest(images) with ordinality as image (url, ordinality),
               substr(url, strpos(url, '/photos/') + 8, 64) as hash
         where url like '%/photos/%' and substr(url, strpos(url, '/photos/') + 72, 1) = '-'
           and length(hash) = 64 and hash !~ '[^0-9a-f]'
    $$;

    -- The shop's own photos are stored as paths. A photo at any other URL is its own only if its hash is in photos.
    create function add_laptop_photos() returns trigger language plpgsql as $$
      begin
        insert into laptop_photos
        select added.id, shown.place, shown.photo_hash from added, photos_in(added.images) as shown
         where shown.url like '/%' or exists (select from photos where hash = shown.photo_hash);
        return null;
      end
    $$;
    create trigger laptops_added after insert on laptops referencing new table as added
      for each statement execute function add_laptop_photos();

    create function change_laptop_photos() returns trigger language plpgsql as $$
      begin
        delete from laptop_photos where laptop_id = new.id;
        insert into laptop_photos
        select new.id, shown.place, shown.photo_hash from photos_in(new.images) as shown
         where shown.url like '/%' or exists (select from photos where hash = shown.photo_hash);
        return null;
      end
    $$;
    create trigger laptops_images_changed after update of images on laptops
      for each row when (old.images is distinct from new.images) execute function change_laptop_photos();

    -- One index per query: in a common index, the photos deleted in the last 90 days would slow down the other queries.
    drop index photos_in_question;
    create index photos_waiting on photos (since) where state = 'waiting';
    create index photos_leaving on photos (hash) where state = 'leaving';
    create index photos_gone on photos (since) where state = 'gone';
  `.execute(database);
}
