import type * as z from 'zod/mini';
import {
  type addContent,
  type ContentKind,
  MAXIMUM_PAGES,
  MAXIMUM_POSTS,
  type saveContent,
} from '#contract/operations/content.ts';
import { type Actor, recordAudit } from '#server/people/audit/steps.ts';
import type { Context } from '#server/platform/context.ts';
import type { Reader, Transaction } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import { type ContentRow, contentPath } from './rules.ts';
import * as store from './store.ts';

/** @throws Refusal for an unknown id */
export async function requireContent(reader: Reader, id: string): Promise<ContentRow> {
  const [row] = await store.list(reader, id);
  if (row === undefined) {
    throw new Refusal('not_found', 'There is no such page. Perhaps another admin has deleted it.');
  }
  return row;
}

function invalid(field: string, sentence: string): Refusal {
  return new Refusal('invalid_input', `${sentence} Nothing was saved.`, { errors: { [field]: sentence } });
}

/** @throws Refusal when another page has the address */
async function requireFreeAddress(
  transaction: Transaction,
  { kind, slug, ownId }: { kind: ContentKind; slug: string; ownId: string | null },
): Promise<void> {
  const present = await store.findAt(transaction, kind, slug);
  if (present === undefined || present === ownId) return;
  throw invalid('slug', `There is another one at ${contentPath(kind, slug)}.`);
}

/** Adds a draft. @returns its id @throws Refusal */
export function add(
  { database }: Pick<Context, 'database'>,
  admin: Actor,
  { kind, slug, ...texts }: z.output<(typeof addContent)['body']>,
): Promise<string> {
  return database.transaction().execute(async (transaction) => {
    await store.lockContent(transaction);
    await requireFreeAddress(transaction, { kind, slug, ownId: null });
    const maximum = kind === 'page' ? MAXIMUM_PAGES : MAXIMUM_POSTS;
    if ((await store.count(transaction, kind)) >= maximum) {
      throw invalid('kind', `A shop has up to ${maximum} ${kind}s. Please delete a draft first.`);
    }
    const id = await store.insert(transaction, { kind, slug });
    await store.insertVersion(transaction, id, 1, texts, admin.userId);
    return id;
  });
}

/** Saves a new version. @returns its number, and whether anything was different @throws Refusal */
export function save(
  { database }: Pick<Context, 'database'>,
  admin: Actor,
  id: string,
  { slug, version, ...texts }: z.output<(typeof saveContent)['body']>,
): Promise<{ version: number; modifiedCount: number }> {
  return database.transaction().execute(async (transaction) => {
    await store.lockContent(transaction);
    const present = await requireContent(transaction, id);
    const { title, description, body } = texts;
    const isSame = present.title === title && present.description === description && present.body === body;
    // Also when the response to the same request was lost.
    if (isSame && present.slug === slug) return { version: present.version, modifiedCount: 0 };
    if (present.version !== version) {
      throw new Refusal(
        'changed_elsewhere',
        'This page was saved elsewhere since you opened it. Your text is still here and is not saved: copy it, and load the page again.',
      );
    }
    if (slug !== present.slug) {
      if (present.first_published_at !== null) {
        throw invalid('slug', 'The address of a page that was published stays.');
      }
      await requireFreeAddress(transaction, { kind: present.kind, slug, ownId: id });
      await store.update(transaction, id, { slug });
    }
    const next = present.version + (isSame ? 0 : 1);
    if (!isSame) await store.insertVersion(transaction, id, next, texts, admin.userId);
    return { version: next, modifiedCount: 1 };
  });
}

/** Publishes a version. @returns rows changed @throws Refusal */
export async function publish(
  { database, cache }: Pick<Context, 'database' | 'cache'>,
  admin: Actor,
  id: string,
  version: number,
): Promise<number> {
  const modifiedCount = await database.transaction().execute(async (transaction) => {
    await store.lockContent(transaction);
    const present = await requireContent(transaction, id);
    const texts = await store.findVersion(transaction, id, version);
    if (texts === undefined) throw new Refusal('not_found', 'This version is not kept any more.');
    if (texts.body.trim() === '') throw invalid('body', 'The page has no text yet.');
    if (present.published_version === version) return 0;
    const now = new Date();
    await store.update(transaction, id, {
      published_version: version,
      published_at: now,
      first_published_at: present.first_published_at ?? now,
    });
    await recordAudit(transaction, {
      adminId: admin.userId,
      act: 'Published page',
      subject: `${texts.title} (${contentPath(present.kind, present.slug)})`,
      note: `Version ${version}.`,
    });
    return 1;
  });
  await cache.waitForInvalidation();
  return modifiedCount;
}

/** Makes a published page a draft again. @returns rows changed @throws Refusal */
export async function withdraw(
  { database, cache }: Pick<Context, 'database' | 'cache'>,
  admin: Actor,
  id: string,
): Promise<number> {
  const modifiedCount = await database.transaction().execute(async (transaction) => {
    await store.lockContent(transaction);
    const present = await requireContent(transaction, id);
    if (present.published_version === null) return 0;
    await store.update(transaction, id, { published_version: null, published_at: null });
    await recordAudit(transaction, {
      adminId: admin.userId,
      act: 'Withdrew page',
      subject: `${present.title} (${contentPath(present.kind, present.slug)})`,
    });
    return 1;
  });
  await cache.waitForInvalidation();
  return modifiedCount;
}

/** Deletes a draft. @returns rows deleted @throws Refusal for a published page, and for one that is gone */
export function remove({ database }: Pick<Context, 'database'>, admin: Actor, id: string): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    await store.lockContent(transaction);
    const present = await requireContent(transaction, id);
    if (present.published_version !== null) {
      throw new Refusal('not_allowed', 'A published page is withdrawn before it is deleted.');
    }
    await recordAudit(transaction, {
      adminId: admin.userId,
      act: 'Deleted page',
      subject: `${present.title} (${contentPath(present.kind, present.slug)})`,
    });
    return store.remove(transaction, id);
  });
}
