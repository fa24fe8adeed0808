import { readFileSync } from 'node:fs';
import { type Kysely, sql } from 'kysely';

/** The files of the schema in the order in which they can be created: each refers only to those before it. */
export const wings = [
  'platform',
  'people',
  'listings',
  'money',
  'certification',
  'sales',
  'operations',
] as const;

/** The texts of a new shop in the order in which they are listed, posts from the last to the first. */
const samples = {
  page: ['help', 'returns', 'terms', 'privacy', 'accessibility', 'imprint', 'about'],
  post: ['angular-react-vue', 'unit-tests', 'prototypal-inheritance', 'state-management'],
} as const;

/** The schema of release 1.0, and the texts of a new shop. From it on, migrations expand and later contract. */
export async function up(database: Kysely<never>): Promise<void> {
  for (const wing of wings) {
    const text = readFileSync(new URL(`../schema/${wing}.sql`, import.meta.url), 'utf8');
    await sql.raw(text).execute(database);
  }
  for (const slug of samples.page) await insertSample(database, 'page', slug, null);
  for (const slug of samples.post) await insertSample(database, 'post', slug, new Date('2026-11-20T12:00Z'));
}

/** @param publishedAt null for a draft, which the owner checks before publishing */
async function insertSample(
  database: Kysely<never>,
  kind: keyof typeof samples,
  slug: string,
  publishedAt: Date | null,
): Promise<void> {
  const file = new URL(`../../../operations/content/samples/${kind}s/${slug}.md`, import.meta.url);
  const text = readFileSync(file, 'utf8');
  const parts = /^---\ntitle: (.+)\ndescription: (.+)\n---\n\n(.+)$/s.exec(text);
  if (parts === null) throw new Error(`${file.pathname} does not begin with title and description.`);
  const [, title, description, body] = parts;
  await sql`
    with page as (
      insert into content_pages (kind, slug, published_version, published_at, first_published_at)
      values (${kind}, ${slug}, ${publishedAt === null ? null : 1}, ${publishedAt}, ${publishedAt})
      returning id
    )
    insert into content_versions (page_id, version, title, description, body)
    select id, 1, ${title}, ${description}, ${body} from page
  `.execute(database);
}
