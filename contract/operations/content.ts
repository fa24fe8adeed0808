import * as z from 'zod/mini';
import { endpoint } from '#contract/platform/endpoint.ts';
import { Deleted, Id, Inserted, line, Modified } from '#contract/platform/scalars.ts';

/** A page of the shop, such as the terms, or a post of the blog. */
export const contentKinds = ['page', 'post'] as const;
export type ContentKind = (typeof contentKinds)[number];

/** The maximum number of pages, drafts included: the footer lists the published ones. */
export const MAXIMUM_PAGES = 30;

/** The maximum number of posts, drafts included: the blog lists the published ones. */
export const MAXIMUM_POSTS = 200;

/** How many versions of a page are kept, besides the published one. */
export const MAXIMUM_VERSIONS = 50;

/** The maximum length of a page's Markdown, in characters. */
export const MAXIMUM_BODY_LENGTH = 40_000;

/** What stands in place of these names between double braces, such as `{{operator}}`. */
export const placeholders = {
  shop: 'the name of the shop',
  operator: 'the legal name of its operator',
  address: 'the operator’s address',
  'tax-id': 'the operator’s tax number',
  'register-number': 'the operator’s number in the register of companies',
  email: 'the email address for customers',
  'label-payer': 'who pays for labels of parcels: the seller or the shop',
  'held-days': 'the days for which the money is held without a hand-over',
  'complaint-days': 'the days for complaints after the hand-over',
} as const;
export type Placeholder = keyof typeof placeholders;

const slugHint = 'An address has small letters a to z, digits, and single hyphens between them';
const Slug = line(60, 'Address is required').check(
  z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, { error: slugHint }),
);

/** Characters that are not allowed in Markdown: those that `text` of scalars.ts refuses, too. */
const hidden = /[^\P{Cc}\t\n\r]|[\p{Cs}\u202A-\u202E\u2066-\u2069]/u;

const Body = z.string({ error: 'The text must be Markdown' }).check(
  z.maxLength(MAXIMUM_BODY_LENGTH, {
    error: `At most ${MAXIMUM_BODY_LENGTH.toLocaleString('en-US')} characters, please`,
    abort: true,
  }),
  z.refine((value) => !hidden.test(value), { error: 'Control characters are not allowed here' }),
);

const texts = {
  title: line(120, 'Title is required'),
  /** For search engines, and in the list of posts. */
  description: line(200, 'Description is required'),
  /** Markdown. */
  body: Body,
};

/** A published page in a list. */
const ListedContent = z.object({
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  /** When it was first published, and when last; ISO 8601 in UTC. */
  publishedAt: z.string(),
  changedAt: z.string(),
});
export type ListedContent = z.infer<typeof ListedContent>;

const PublishedContent = z.extend(ListedContent, {
  /** Of the Markdown; without raw HTML, pictures and links to other protocols than http, https, mailto and tel. */
  html: z.string(),
});

const BySlug = z.object({ slug: Slug });

export const listPages = endpoint({
  method: 'GET',
  path: '/pages',
  access: 'public',
  summary: 'The published pages, such as the terms',
  response: z.array(ListedContent),
});

export const listPosts = endpoint({
  method: 'GET',
  path: '/posts',
  access: 'public',
  summary: 'The published posts of the blog, newest first',
  response: z.array(ListedContent),
});

export const readPage = endpoint({
  method: 'GET',
  path: '/pages/:slug',
  access: 'public',
  summary: 'A published page',
  params: BySlug,
  response: PublishedContent,
  refusals: ['not_found'],
});

export const readPost = endpoint({
  method: 'GET',
  path: '/posts/:slug',
  access: 'public',
  summary: 'A published post of the blog',
  params: BySlug,
  response: PublishedContent,
  refusals: ['not_found'],
});

const ById = z.object({ _id: Id });

/** A page or post for the admins who write it. */
export const ContentItem = z.object({
  _id: Id,
  kind: z.enum(contentKinds),
  slug: z.string(),
  /** Of the latest version. */
  title: z.string(),
  /** The number of the latest version. */
  version: z.int(),
  /** ISO 8601 in UTC. */
  savedAt: z.string(),
  /** The version that everybody reads; null for a draft. */
  publishedVersion: z.nullable(z.int()),
  /** Whether its address can be changed: it was never published. */
  hasFreeAddress: z.boolean(),
});
export type ContentItem = z.infer<typeof ContentItem>;

const ContentVersion = z.object({
  version: z.int(),
  title: z.string(),
  /** The admin’s name; null for a sample text that came with the shop, and for one of a setup file. */
  savedBy: z.nullable(z.string()),
  savedAt: z.string(),
});
export type ContentVersion = z.infer<typeof ContentVersion>;

export const ContentDetails = z.extend(ContentItem, {
  description: z.string(),
  body: z.string(),
  /** Newest first. */
  versions: z.array(ContentVersion),
});
export type ContentDetails = z.infer<typeof ContentDetails>;

export const listContent = endpoint({
  method: 'GET',
  path: '/content',
  access: ['Admin'],
  rights: ['settings'],
  summary: 'All pages and posts, drafts included',
  response: z.array(ContentItem),
});

export const readContent = endpoint({
  method: 'GET',
  path: '/content/:_id',
  access: ['Admin'],
  rights: ['settings'],
  summary: 'A page or post with its latest version and the list of its versions',
  params: ById,
  response: ContentDetails,
  refusals: ['not_found'],
});

export const readContentVersion = endpoint({
  method: 'GET',
  path: '/content/:_id/versions/:version',
  access: ['Admin'],
  rights: ['settings'],
  summary: 'The texts of one version',
  params: z.extend(ById, { version: z.coerce.number().check(z.int(), z.positive()) }),
  response: z.object({ title: z.string(), description: z.string(), body: z.string() }),
  refusals: ['not_found'],
});

export const addContent = endpoint({
  method: 'POST',
  path: '/content',
  access: ['Admin'],
  rights: ['settings'],
  summary: 'Adds a page or post as a draft',
  body: z.object({ kind: z.enum(contentKinds, { error: 'Choose page or post' }), slug: Slug, ...texts }),
  response: Inserted,
});

export const saveContent = endpoint({
  method: 'PUT',
  path: '/content/:_id',
  access: ['Admin'],
  rights: ['settings'],
  summary:
    'Saves a new version, which is not published by that. Refused with changed_elsewhere when there is a later version than the one it is based on',
  params: ById,
  body: z.object({ slug: Slug, ...texts, version: z.int({ error: 'The version is missing' }) }),
  response: z.extend(Modified, { version: z.int() }),
  refusals: ['not_found', 'changed_elsewhere'],
});

export const publishContent = endpoint({
  method: 'PUT',
  path: '/content/:_id/publication',
  access: ['Admin'],
  rights: ['settings'],
  summary: 'Shows a version to everybody, in place of the one that was published',
  params: ById,
  body: z.object({ version: z.int({ error: 'The version is missing' }) }),
  response: Modified,
  refusals: ['not_found'],
});

export const withdrawContent = endpoint({
  method: 'DELETE',
  path: '/content/:_id/publication',
  access: ['Admin'],
  rights: ['settings'],
  summary: 'Makes a published page a draft again',
  params: ById,
  response: Modified,
  refusals: ['not_found'],
});

export const deleteContent = endpoint({
  method: 'DELETE',
  path: '/content/:_id',
  access: ['Admin'],
  rights: ['settings'],
  summary: 'Deletes a draft with all its versions',
  params: ById,
  response: Deleted,
  refusals: ['not_found', 'not_allowed'],
});

export const previewContent = endpoint({
  method: 'POST',
  path: '/contentPreviews',
  access: ['Admin'],
  rights: ['settings'],
  summary: 'The HTML of a Markdown text as it would be published. Nothing is saved',
  body: z.object({ body: Body }),
  response: z.object({ html: z.string() }),
  limit: 'previewing',
});
