import type {
  ContentDetails,
  ContentItem,
  ContentKind,
  ListedContent,
} from '#contract/operations/content.ts';

/** The path of a page or post. */
export const contentPath = (kind: ContentKind, slug: string): string =>
  kind === 'page' ? `/pages/${slug}` : `/blog/${slug}`;

/** The texts of a version. */
export interface ContentTexts {
  title: string;
  description: string;
  body: string;
}

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
export interface ContentRow extends ContentTexts {
  id: string;
  kind: ContentKind;
  slug: string;
  version: number;
  saved_at: Date;
  published_version: number | null;
  first_published_at: Date | null;
}

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
