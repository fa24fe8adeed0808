import type * as z from 'zod/mini';
import { type addBrand, type changeBrand, MAXIMUM_BRANDS, MAXIMUM_MOVED } from '#contract/listings/brands.ts';
import { type Actor, recordAudit } from '#server/people/audit/steps.ts';
import type { Context } from '#server/platform/context.ts';
import type { Row, Transaction } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import {
  keepHostedPhotos,
  lockLaptopsOfBrand,
  moveToBrand,
  type PhotoDependencies,
  requireHostedPhotos,
} from '../catalogue/steps.ts';
import { releasePhotos } from '../photos/steps.ts';
import { moveBrandInSearches } from '../saved-searches/steps.ts';
import { describeChange, skeletonOf } from './rules.ts';
import * as store from './store.ts';

export type BrandDependencies = PhotoDependencies & Pick<Context, 'database' | 'cache'>;

const imageField = () => 'image';

function invalid(field: string, sentence: string): Refusal {
  return new Refusal('invalid_input', `${sentence} Nothing was changed.`, { errors: { [field]: sentence } });
}

function requireBrand(brands: readonly Row<'brands'>[], id: string): Row<'brands'> {
  const brand = brands.find((each) => each.id === id);
  if (brand === undefined) {
    throw new Refusal('not_found', 'There is no such brand. Perhaps another admin has merged it.');
  }
  return brand;
}

/** @throws Refusal when another brand has the name, or one that looks like it @returns its skeleton */
function requireFreeName(brands: readonly Row<'brands'>[], name: string, ownId: string | null): string {
  const skeleton = skeletonOf(name);
  const same = brands.find((brand) => brand.skeleton === skeleton && brand.id !== ownId);
  if (same === undefined) return skeleton;
  const hidden = same.hidden_since === null ? '' : ', which is hidden';
  throw invalid('name', `There is the brand ${same.category_id}${hidden}, and this name looks like it.`);
}

/** @throws Refusal when no other brand would be shown */
function requireAnotherShown(brands: readonly Row<'brands'>[], id: string): void {
  if (brands.some((brand) => brand.id !== id && brand.hidden_since === null)) return;
  throw invalid('hidden', 'A shop shows at least one brand, and this is the only one.');
}

/** Checks a new logo, and converts it to its stored form. It reads the photo storage, so it runs before the transaction. */
async function storedLogo(dependencies: PhotoDependencies, url: string): Promise<string | null> {
  const [photo] = await requireHostedPhotos(dependencies, [url], imageField);
  return photo ?? null;
}

/** Adds a brand, as the last one. @returns its id @throws Refusal */
export async function add(
  dependencies: BrandDependencies,
  admin: Actor,
  { name, image: url }: z.output<(typeof addBrand)['body']>,
): Promise<string> {
  const image = url === undefined ? null : await storedLogo(dependencies, url);
  const id = await dependencies.database.transaction().execute(async (transaction) => {
    const brands = await store.lockBrands(transaction);
    const skeleton = requireFreeName(brands, name, null);
    if (brands.length >= MAXIMUM_BRANDS) {
      throw invalid('name', `A shop has up to ${MAXIMUM_BRANDS} brands. Please merge some first.`);
    }
    if (image !== null) await keepHostedPhotos(transaction, [image], imageField);
    await store.removeFormerName(transaction, name);
    const insertedId = await store.insert(transaction, { category_id: name, skeleton, image });
    await recordAudit(transaction, { adminId: admin.userId, act: 'Added brand', subject: name });
    return insertedId;
  });
  await dependencies.cache.waitForInvalidation();
  return id;
}

/** Gives the brands another order. @returns rows changed @throws Refusal unless it names each brand once */
export async function order(
  { database, cache }: BrandDependencies,
  admin: Actor,
  ids: readonly string[],
): Promise<number> {
  const modifiedCount = await database.transaction().execute(async (transaction) => {
    const brands = await store.lockBrands(transaction);
    const before = brands.map(({ id }) => id);
    if (ids.length !== before.length || !before.every((id) => ids.includes(id))) {
      throw new Refusal(
        'changed_elsewhere',
        'The brands were changed in the meantime, so their order stays as it was. Please look again.',
      );
    }
    if (ids.every((id, index) => id === before[index])) return 0;
    await store.setOrder(transaction, ids);
    const names = ids.map((id) => requireBrand(brands, id).category_id);
    await recordAudit(transaction, {
      adminId: admin.userId,
      act: 'Ordered brands',
      subject: names.join(', '),
    });
    return ids.length;
  });
  await cache.waitForInvalidation();
  return modifiedCount;
}

/**
 * Locks the laptops of a brand that gets another name. Before the brand, as a change of a laptop does.
 * @throws Refusal when one transaction cannot change so many
 */
async function lockLaptops(transaction: Transaction, { category_id: name }: Row<'brands'>): Promise<void> {
  const laptops = await lockLaptopsOfBrand(transaction, name, MAXIMUM_MOVED + 1);
  if (laptops <= MAXIMUM_MOVED) return;
  throw invalid(
    'name',
    `${name} has more than ${MAXIMUM_MOVED.toLocaleString('en-US')} laptops, sold ones included, so it cannot be renamed or merged. It can be hidden.`,
  );
}

/** Moves what names a brand besides its laptops. */
async function moveSearches(transaction: Transaction, from: string, to: string): Promise<void> {
  if (await moveBrandInSearches(transaction, { from, to, limit: MAXIMUM_MOVED })) return;
  throw invalid(
    'name',
    `More than ${MAXIMUM_MOVED.toLocaleString('en-US')} saved searches are for ${from}, so it cannot be renamed or merged. It can be hidden.`,
  );
}

/** Renames a brand, replaces its logo, hides or shows it. @returns rows changed @throws Refusal */
export async function change(
  dependencies: BrandDependencies,
  admin: Actor,
  id: string,
  { name, image: url, hidden }: z.output<(typeof changeBrand)['body']>,
): Promise<number> {
  const newLogo = url === undefined || url === null ? null : await storedLogo(dependencies, url);
  const modifiedCount = await dependencies.database.transaction().execute(async (transaction) => {
    const brands = await store.lockBrands(transaction);
    const brand = requireBrand(brands, id);
    const skeleton = requireFreeName(brands, name, id);
    const image = url === undefined ? brand.image : newLogo;
    const note = describeChange(brand, { name, image, hidden });
    if (note === '') return 0;
    if (hidden && brand.hidden_since === null) requireAnotherShown(brands, id);
    const isRenamed = name !== brand.category_id;
    if (isRenamed) await lockLaptops(transaction, brand);
    if (image !== brand.image) {
      if (brand.image !== null) await releasePhotos(transaction, [brand.image]);
      if (image !== null) await keepHostedPhotos(transaction, [image], imageField);
    }
    await store.update(transaction, id, {
      category_id: name,
      skeleton,
      image,
      hidden_since: hidden ? (brand.hidden_since ?? new Date()) : null,
    });
    if (isRenamed) {
      await moveSearches(transaction, brand.category_id, name);
      await store.removeFormerName(transaction, name);
      await store.addFormerName(transaction, brand.category_id, id);
    }
    await recordAudit(transaction, { adminId: admin.userId, act: 'Changed brand', subject: name, note });
    return 1;
  });
  await dependencies.cache.waitForInvalidation();
  return modifiedCount;
}

/** Merges a brand into another one. @returns rows changed @throws Refusal */
export async function merge(
  { database, cache }: BrandDependencies,
  admin: Actor,
  { id, into }: { id: string; into: string },
): Promise<number> {
  await database.transaction().execute(async (transaction) => {
    const brands = await store.lockBrands(transaction);
    const [from, to] = [requireBrand(brands, id), requireBrand(brands, into)];
    if (from === to) throw invalid('into', 'A brand is merged into another one.');
    if (to.hidden_since !== null) {
      throw invalid('into', `${to.category_id} is hidden. Please show it first, or choose another one.`);
    }
    await lockLaptops(transaction, from);
    await store.lockListing(transaction, from.id);
    await moveToBrand(transaction, from.category_id, to.category_id);
    await moveSearches(transaction, from.category_id, to.category_id);
    await store.removeInto(transaction, from.id, to.id);
    await store.addFormerName(transaction, from.category_id, to.id);
    if (from.image !== null) await releasePhotos(transaction, [from.image]);
    await recordAudit(transaction, {
      adminId: admin.userId,
      act: 'Merged brands',
      subject: `${from.category_id} into ${to.category_id}`,
    });
  });
  await cache.waitForInvalidation();
  return 1;
}
