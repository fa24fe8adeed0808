import type {
  ContentDetails,
  ContentItem,
  ContentKind,
  ListedContent,
} from '#contract/operations/content.ts';
import type { Row } from '#server/platform/database/tables.ts';

/** The path of a page or post. */
export const contentPath = (kind: ContentKind, slug: string): string =>
  kind === 'page' ? `/pages/${slug}` : `/blog/${slug}`;

/** The texts of a version. */
export type ContentTexts = Pick<Row<'content_versions'>, 'title' | 'description' | 'body'>;

/** A published version. */
export interface PublishedRow extends ContentTexts {
  id: string;
  slug: string;
  version: number;
  published_at: Date;
  first_published_at: Date;
}

export const toListed = ({
  slug,
  title,
  description,
  ...row
}: Omit<PublishedRow, 'body'>): ListedContent => ({
  slug,
  title,
  description,
  publishedAt: row.first_published_at.toISOString(),
  changedAt: row.published_at.toISOString(),
});

/** A page with its latest version. */
export interface ContentRow
  extends ContentTexts,
    Pick<Row<'content_versions'>, 'version' | 'saved_at'>,
    Pick<Row<'content_pages'>, 'id' | 'kind' | 'slug' | 'published_version' | 'first_published_at'> {}

export const toItem = (row: ContentRow): ContentItem => ({
  _id: row.id,
  kind: row.kind,
  slug: row.slug,
  title: row.title,
  version: row.version,
  savedAt: row.saved_at.toISOString(),
  publishedVersion: row.published_version,
  hasFreeAddress: row.first_published_at === null,
});

interface Version {
  version: number;
  title: string;
  saved_at: Date;
  saved_by: string | null;
}

export const toDetails = (row: ContentRow, versions: readonly Version[]): ContentDetails => ({
  ...toItem(row),
  description: row.description,
  body: row.body,
  versions: versions.map(({ version, title, saved_at, saved_by }) => ({
    version,
    title,
    savedBy: saved_by,
    savedAt: saved_at.toISOString(),
  })),
});
