import { type Kysely, sql } from 'kysely';

/**
 * Two kinds of inspection: from photos, and in hand. Decisions until now were made from photos, whatever the admin answered: an
 * approval needed each item to be met. So each of them becomes one from photos, and keeps as met only what it can have been based on.
 */
export async function up(database: Kysely<never>): Promise<void> {
  await addKinds(database);
  await rewriteChecklists(database);
  await splitLevel(database);
}

async function addKinds(database: Kysely<never>): Promise<void> {
  await sql`
    alter table inspections
      add column kind text not null default 'photos' check (kind in ('photos', 'hand')),
      add constraint in_hand_has_photos check (kind <> 'hand' or cardinality(photos) > 0),
      add constraint approved_without_objection check (
        decision <> 'approved' or not jsonb_path_exists(checklist, '$.* ? (@ == "not_met")')
      );
  `.execute(database);
}

/**
 * The item "photos" was also about the slip, and "keyboard" about the touchpad; nobody was asked about camera and sound. The slip
 * and the body need photos of these kinds, which are known only of the present version of a listing. The screen and the keyboard
 * need a test in the browser that had passed before the decision.
 */
async function rewriteChecklists(database: Kysely<never>): Promise<void> {
  await sql`
    -- Decisions are never changed. This is the exception: what they say to buyers was not true.
    alter table inspections disable trigger inspections_stay;

    with evidence as (
      select inspections.id, checklist,
             array(
               select laptops.photo_kinds ->> image from unnest(laptops.images) as image
                where laptops.version = inspections.laptop_version
             ) as kinds,
             coalesce(tested.results, '[]') as results
        from inspections
        join laptops on laptops.id = inspections.laptop_id
        left join lateral (
          select results from browser_checks
           where browser_checks.laptop_id = inspections.laptop_id and checked_at <= inspected_at
           order by browser_checks.number desc limit 1
        ) as tested on true
    ),
    rewritten as (
      select evidence.id, jsonb_object_agg(
               item,
               case
                 when answer = 'met' and not is_founded then 'unchecked'
                 else coalesce(answer, 'unchecked')
               end
             ) as checklist
        from evidence
       cross join lateral (
         values
           ('photos', checklist ->> 'photos', true),
           ('slip', checklist ->> 'photos', 'slip' = any (kinds)),
           ('marks', checklist ->> 'marks', true),
           ('body', checklist ->> 'body', array['lid', 'on', 'ports', 'underside'] <@ kinds),
           ('screen', checklist ->> 'screen', results @> '[{"name": "deadPixels", "outcome": "passed"}]'),
           ('keyboard', checklist ->> 'keyboard', results @> '[{"name": "keyboard", "outcome": "passed"}]'),
           ('touchpad', checklist ->> 'keyboard', results @> '[{"name": "touchpad", "outcome": "passed"}]'),
           ('camera', null, false),
           ('sound', null, false),
           ('price', checklist ->> 'price', true)
       ) as items (item, answer, is_founded)
       group by evidence.id
    )
    update inspections set checklist = rewritten.checklist from rewritten where rewritten.id = inspections.id;

    alter table inspections enable trigger inspections_stay;
  `.execute(database);
}

async function splitLevel(database: Kysely<never>): Promise<void> {
  await sql`
    -- A table cannot be altered while triggers wait for the end of the transaction.
    set constraints all immediate;
    alter table laptops drop constraint laptops_level_check;
    -- The triggers of the update note the certificates to renew.
    update laptops set level = 'inspected_photos' where level = 'inspected';
    -- Saved searches for inspected laptops mean both kinds: none of these laptops has changed for them.
    update laptops_to_match set before = before || '{"level": "inspected_photos"}' where before ->> 'level' = 'inspected';
    alter table laptops
      add constraint laptops_level_check
        check (level in ('word', 'measured', 'inspected_photos', 'inspected_hand'));

    -- The lists of the inspection desk, of which one has two levels.
    drop index laptops_by_level;
    create index laptops_measured on laptops (number desc) where state = 'available' and level = 'measured';
    create index laptops_inspected on laptops (number desc)
     where state = 'available' and level in ('inspected_photos', 'inspected_hand');
  `.execute(database);
}
