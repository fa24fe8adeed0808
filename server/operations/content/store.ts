import { sql } from 'kysely';
import { type ContentKind, MAXIMUM_VERSIONS } from '#contract/operations/content.ts';
import type { Reader, Row, Transaction } from '#server/platform/database/tables.ts';
import type { ContentRow, ContentTexts, PublishedRow } from './rules.ts';

const published = (reader: Reader, kind: ContentKind) =>
  reader
    .selectFrom('content_pages as page')
    .innerJoin('content_versions as version', (join) =>
      join.onRef('version.page_id', '=', 'page.id').onRef('version.version', '=', 'page.published_version'),
    )
    .where('page.kind', '=', kind)
    .select([
      'page.id',
      'page.slug',
      'version.version',
      'version.title',
      'version.description',
      sql<Date>`page.published_at`.as('published_at'),
      sql<Date>`page.first_published_at`.as('first_published_at'),
    ]);

/** Lists the published pages in the order in which they were added, or the published posts, newest first. */
export function listPublished(reader: Reader, kind: ContentKind): Promise<Omit<PublishedRow, 'body'>[]> {
  const query = published(reader, kind);
  return kind === 'page'
    ? query.orderBy('page.number').execute()
    : query.orderBy('page.first_published_at', 'desc').orderBy('page.number', 'desc').execute();
}

export function findPublished(
  reader: Reader,
  kind: ContentKind,
  slug: string,
): Promise<PublishedRow | undefined> {
  return published(reader, kind).where('page.slug', '=', slug).select('version.body').executeTakeFirst();
}

/** Lists all pages and posts with their latest versions; one if `id` is given. */
export async function list(reader: Reader, id: string | null = null): Promise<ContentRow[]> {
  const { rows } = await sql<ContentRow>`
    select page.id, kind, slug, published_version, first_published_at, latest.version, title, description, saved_at,
           case when ${id}::uuid is null then '' else body end as body
      from content_pages as page
      cross join lateral (select * from content_versions where page_id = page.id order by version desc limit 1) as latest
     where ${id}::uuid is null or page.id = ${id}
     order by kind, number`.execute(reader);
  return rows;
}

/** Lists the versions of a page, newest first. */
export function listVersions(reader: Reader, pageId: string) {
  return reader
    .selectFrom('content_versions')
    .leftJoin('users', 'users.id', 'saved_by')
    .where('page_id', '=', pageId)
    .select(['version', 'title', 'saved_at', 'users.name as saved_by'])
    .orderBy('version', 'desc')
    .execute();
}

export function findVersion(
  reader: Reader,
  pageId: string,
  version: number,
): Promise<ContentTexts | undefined> {
  return reader
    .selectFrom('content_versions')
    .where('page_id', '=', pageId)
    .where('version', '=', version)
    .select(['title', 'description', 'body'])
    .executeTakeFirst();
}

/** Prevents other changes of pages until the transaction ends. */
export async function lockContent(transaction: Transaction): Promise<void> {
  await sql`lock table content_pages in share row exclusive mode`.execute(transaction);
}

export async function count(reader: Reader, kind: ContentKind): Promise<number> {
  const row = await reader
    .selectFrom('content_pages')
    .where('kind', '=', kind)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Finds the id of the page at an address. */
export async function findAt(reader: Reader, kind: ContentKind, slug: string): Promise<string | undefined> {
  const row = await reader
    .selectFrom('content_pages')
    .where('kind', '=', kind)
    .where('slug', '=', slug)
    .select('id')
    .executeTakeFirst();
  return row?.id;
}

/** Inserts a draft without a version. @returns its id */
export async function insert(
  transaction: Transaction,
  page: { kind: ContentKind; slug: string },
): Promise<string> {
  const { id } = await transaction
    .insertInto('content_pages')
    .values(page)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Inserts a version. Of the others, the latest {@link MAXIMUM_VERSIONS} and the published one are kept. */
export async function insertVersion(
  transaction: Transaction,
  pageId: string,
  version: number,
  { title, description, body }: ContentTexts,
  savedBy: string | null,
): Promise<void> {
  const row = { page_id: pageId, version, title, description, body, saved_by: savedBy };
  await transaction.insertInto('content_versions').values(row).execute();
  await transaction
    .deleteFrom('content_versions')
    .where('page_id', '=', pageId)
    .where('version', '<=', version - MAXIMUM_VERSIONS)
    .where(
      'version',
      'is distinct from',
      transaction.selectFrom('content_pages').where('id', '=', pageId).select('published_version'),
    )
    .execute();
}

export async function update(
  transaction: Transaction,
  id: string,
  change: Partial<
    Pick<Row<'content_pages'>, 'slug' | 'published_version' | 'published_at' | 'first_published_at'>
  >,
): Promise<void> {
  await transaction.updateTable('content_pages').set(change).where('id', '=', id).execute();
}

/** Deletes a draft. @returns the rows deleted */
export async function remove(transaction: Transaction, id: string): Promise<number> {
  const { numDeletedRows } = await transaction
    .deleteFrom('content_pages')
    .where('id', '=', id)
    .where('published_version', 'is', null)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
