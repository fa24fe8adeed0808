import { type Kysely, sql } from 'kysely';

/**
 * Fingerprints of photos, by which a photo is found again after it was resized, recompressed or slightly cropped. They are
 * made in the background, for new photos and for those of earlier versions.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    alter table photos add column fingerprinted boolean not null default false;
    create index photos_to_fingerprint on photos (since) where state = 'listed' and not fingerprinted;

    create table photo_thumbnails (
      photo_hash text primary key references photos (hash) on delete cascade,
      -- 64 by 64 pixels, one byte of luminance each, row by row.
      thumbnail bytea not null check (octet_length(thumbnail) = 4096)
    );
    -- Two hashes within seven bits have a quarter that differs in one bit at most.
    create table photo_fingerprints (
      photo_hash text not null references photo_thumbnails on delete cascade,
      fingerprint bigint not null,
      quarter_1 integer not null generated always as ((fingerprint & 65535)::integer) stored,
      quarter_2 integer not null generated always as ((fingerprint >> 16 & 65535)::integer) stored,
      quarter_3 integer not null generated always as ((fingerprint >> 32 & 65535)::integer) stored,
      quarter_4 integer not null generated always as ((fingerprint >> 48 & 65535)::integer) stored,
      primary key (photo_hash, fingerprint)
    );
    create index photo_fingerprints_1 on photo_fingerprints (quarter_1);
    create index photo_fingerprints_2 on photo_fingerprints (quarter_2);
    create index photo_fingerprints_3 on photo_fingerprints (quarter_3);
    create index photo_fingerprints_4 on photo_fingerprints (quarter_4);

    create function note_laptops_with_photo() returns trigger language plpgsql as $$
      begin
        insert into laptops_to_compare (laptop_id)
        select distinct laptop_id from laptop_photos where photo_hash = new.photo_hash;
        return null;
      end
    $$;
    create trigger fingerprinted_photo_to_compare after insert on photo_thumbnails
      for each row execute function note_laptops_with_photo();
    create function note_laptops_with_new_photos() returns trigger language plpgsql as $$
      begin
        insert into laptops_to_compare (laptop_id)
        select distinct laptop_id from added
         where exists (select from photo_thumbnails where photo_thumbnails.photo_hash = added.photo_hash);
        return null;
      end
    $$;
    create trigger laptop_photos_to_compare after insert on laptop_photos referencing new table as added
      for each statement execute function note_laptops_with_new_photos();
  `.execute(database);
}
