import { type Kysely, sql } from 'kysely';

/** What photos show, and the code that a laptop's seller writes on a slip of paper for one of them. */
export async function up(database: Kysely<never>): Promise<void> {
  await sql`
    -- Five characters without look-alikes. Bytes 0 to 4 of a random UUID are random.
    create function new_slip_code() returns text language sql volatile as $$
      select string_agg(substr('34679ACDEFGHJKMNPQRTUVWXY', get_byte(bytes, place) % 25 + 1, 1), '')
        from (select uuid_send(gen_random_uuid()) as bytes) as random, generate_series(0, 4) as place
    $$;
    alter table laptops
      -- By the entries of images, like photo_captions.
      add column photo_kinds jsonb not null default '{}' check (jsonb_typeof(photo_kinds) = 'object'),
      add column slip_code text not null default new_slip_code()
        check (slip_code ~ '^[34679ACDEFGHJKMNPQRTUVWXY]{5}$');
  `.execute(database);
}
