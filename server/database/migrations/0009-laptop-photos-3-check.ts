import { type Kysely, sql } from 'kysely';

/** Validates the rows of the previous migration. A laptop whose photos were removed concurrently has none. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    delete from laptop_photos using laptops
     where laptops.id = laptop_id
       and strpos(coalesce(images[laptop_photos.position], ''), '/photos/' || photo_hash || '-') = 0;
    alter table laptop_photos validate constraint photo_of_a_laptop, validate constraint shown_photo_is_known;
  `.execute(database);
}
