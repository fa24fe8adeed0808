import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parse, YAMLParseError } from 'yaml';
import * as z from 'zod/mini';
import { addBrand, MAXIMUM_BRANDS } from '#contract/listings/brands.ts';
import { addContent, MAXIMUM_PAGES } from '#contract/operations/content.ts';
import { SettingsFile } from '#contract/operations/settings.ts';
import { defaultShopSettings, ShopSettings, shopPictureKinds } from '#contract/platform/shop-settings.ts';
import * as brandActions from '#server/listings/brands/actions.ts';
import { listBrands } from '#server/listings/brands/steps.ts';
import type { PictureEncoder } from '#server/listings/photos/actions.ts';
import type { Database } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/http/refusal.ts';
import * as content from '../content/actions.ts';
import { findAt } from '../content/store.ts';
import { importSettings, storePicture } from '../settings/actions.ts';
import { readSettings } from '../settings/store.ts';

/** A file that cannot be used. Nothing was changed. */
export class SetupFileError extends Error {}

/** The shop refused a step. The steps before it apply. */
export class SetupStopped extends Error {
  /** @param refusal has a sentence about this step only @param isFirst whether nothing was changed before */
  constructor(refusal: Refusal, step: string, isFirst: boolean) {
    const stays = isFirst ? '' : ' What came before it applies, beginning with the settings.';
    super(`The setup stopped at ${step}: ${refusal.message}${stays}`, { cause: refusal });
  }
}

const Group = z.record(z.string(), z.unknown());
type Group = z.infer<typeof Group>;

const eachOnce = (names: readonly string[]): boolean => new Set(names).size === names.length;

/** A shop in one file. What it leaves out stays as it is. An exported file of settings is one, too. */
const SetupFile = z.strictObject({
  format: z.optional(SettingsFile.shape.format),
  /** Settings by their names. */
  settings: z.optional(Group),
  /** A path from the folder of the file, or the bytes in base64. */
  pictures: z.optional(
    z.strictObject({
      logo: z.optional(z.string()),
      icon: z.optional(z.string()),
      socialPicture: z.optional(z.string()),
    }),
  ),
  /** The names of the brands that are shown, in their order. */
  brands: z.optional(
    z
      .array(addBrand.body.shape.name)
      .check(
        z.minLength(1),
        z.maxLength(MAXIMUM_BRANDS),
        z.refine(eachOnce, { error: 'Name each brand once' }),
      ),
  ),
  /** Pages to publish. `file` is a path of Markdown from the folder of the file. */
  pages: z.optional(
    z
      .array(
        z.strictObject({ slug: z.string(), title: z.string(), description: z.string(), file: z.string() }),
      )
      .check(
        z.maxLength(MAXIMUM_PAGES),
        z.refine((pages) => eachOnce(pages.map(({ slug }) => slug)), { error: 'Name each page once' }),
      ),
  ),
});

const isGroup = (value: unknown): value is Group => Group.safeParse(value).success;

/** Lays some settings over others. A list replaces a list, and colours all colours: an exported file names those that differ from the default. */
function merge(present: Group, given: Group): Group {
  const merged = { ...present };
  for (const [name, value] of Object.entries(given)) {
    const before = present[name];
    merged[name] = name !== 'colors' && isGroup(before) && isGroup(value) ? merge(before, value) : value;
  }
  return merged;
}

/** The names of settings that there are not, such as `contact.fax`. Colours and pictures are judged by their own schemas. */
function unknownNames(given: Group, known: Group, path = ''): string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    if (!(name in known)) return [`${path}${name}`];
    const group = known[name];
    return name !== 'colors' && isGroup(group) && isGroup(value)
      ? unknownNames(value, group, `${path}${name}.`)
      : [];
  });
}

/** @throws SetupFileError with a line for each error */
function parseWith<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
  prefix = '',
): z.output<Schema> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => {
    const place = [prefix, ...path].filter((part) => part !== '').join('.');
    return place === '' ? `  ${message}.` : `  ${place}: ${message}.`;
  });
  throw new SetupFileError(lines.join('\n'));
}

/** Parses YAML, of which JSON is a part. @throws SetupFileError */
function parseYaml(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof YAMLParseError) throw new SetupFileError(`  ${error.message}`);
    throw error;
  }
}

/** Reads a setup file and the files that it names, and checks all of it. */
async function readSetup(path: string, present: ShopSettings) {
  const content = parseYaml(await readFile(path, 'utf8'));
  if (content === null) throw new SetupFileError('  It is empty. docs/deploy.md has an example.');
  const file = parseWith(SetupFile, content);
  const at = (name: string) => resolve(dirname(path), name);
  const given = file.settings ?? {};
  const unknown = unknownNames(given, defaultShopSettings);
  if (unknown.length > 0) {
    throw new SetupFileError(
      unknown.map((name) => `  settings.${name}: There is no such setting.`).join('\n'),
    );
  }
  const settings = parseWith(ShopSettings, merge(present, given), 'settings');
  // A path has a dot, and base64 has none.
  const pictures = await Promise.all(
    shopPictureKinds.map(async (kind) => {
      const picture = file.pictures?.[kind];
      const isPath = picture?.includes('.') === true;
      return { kind, isPath, data: isPath ? await readFile(at(picture), 'base64') : picture };
    }),
  );
  const pages = await Promise.all(
    (file.pages ?? []).map(async ({ file: name, ...page }, index) =>
      parseWith(
        addContent.body,
        { kind: 'page', ...page, body: await readFile(at(name), 'utf8') },
        `pages.${index}`,
      ),
    ),
  );
  return { settings, given, pictures, brands: file.brands ?? null, pages };
}

/** Shows these brands in this order, and hides the others. */
async function showBrands(database: Database, names: readonly string[]): Promise<void> {
  const dependencies = {
    database,
    // Without logos there are no photos.
    photoStorage: null,
    toStoredPhoto: () => null,
    cache: noCache,
  };
  const present = await listBrands(database);
  for (const name of names) {
    const brand = present.find(({ category_id }) => category_id === name);
    if (brand === undefined) await brandActions.add(dependencies, commandLine, { name });
    else if (brand.hidden_since !== null) {
      await brandActions.change(dependencies, commandLine, brand.id, { name, hidden: false });
    }
  }
  for (const { id, category_id: name, hidden_since } of present) {
    if (names.includes(name) || hidden_since !== null) continue;
    await brandActions.change(dependencies, commandLine, id, { name, hidden: true });
  }
  const all = await listBrands(database);
  const place = ({ category_id: name }: { category_id: string }) =>
    names.includes(name) ? names.indexOf(name) : names.length;
  const ids = all.toSorted((a, b) => place(a) - place(b)).map(({ id }) => id);
  await brandActions.order(dependencies, commandLine, ids);
}

/** No admin in the shop. */
const commandLine = { userId: null };

/** Running processes are notified by the database. */
const noCache = { waitForInvalidation: async () => undefined };

/** Publishes a page at its address. */
async function publishPage(database: Database, page: z.output<(typeof addContent)['body']>): Promise<void> {
  const dependencies = { database, cache: noCache };
  const id = await findAt(database, page.kind, page.slug);
  if (id === undefined) {
    await content.publish(dependencies, commandLine, await content.add(dependencies, commandLine, page), 1);
    return;
  }
  const { version: seen } = await content.requireContent(database, id);
  const { version } = await content.save(dependencies, commandLine, id, { ...page, version: seen });
  await content.publish(dependencies, commandLine, id, version);
}

/**
 * Sets up a shop by a file in YAML or JSON: settings, brands and pages. The whole file is checked first; running it again changes
 * only what differs.
 * @returns what applies now, a line each
 * @throws SetupFileError, SetupStopped
 */
export async function setUp(
  database: Database,
  encoder: Pick<PictureEncoder, 'encode'>,
  path: string,
): Promise<string[]> {
  const before = await readSettings(database);
  const setup = await readSetup(path, before.settings);
  const settings = { ...setup.settings };
  let isFirst = true;
  const step = async (name: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      throw error instanceof Refusal ? new SetupStopped(error, name, isFirst) : error;
    }
    isFirst = false;
  };
  await step('the settings', async () => {
    for (const { kind, isPath, data } of setup.pictures) {
      // An exported file names its pictures in the settings, of which a path replaces one.
      if (data === undefined || (setup.given[kind] !== undefined && !isPath)) continue;
      settings[kind] = await storePicture(database, encoder, kind, data);
    }
    await importSettings(database, encoder, null, {
      version: before.version,
      file: {
        format: 'shop-settings-1',
        settings,
        pictures: Object.fromEntries(setup.pictures.map(({ kind, data }) => [kind, data])),
      },
    });
  });
  const { brands } = setup;
  if (brands !== null) await step('a brand', () => showBrands(database, brands));
  for (const page of setup.pages) await step(`the page ${page.slug}`, () => publishPage(database, page));
  return [
    `The settings of ${settings.name} apply now.`,
    ...(brands === null ? [] : [`Brands: ${brands.join(', ')}.`]),
    ...setup.pages.map(({ slug, title }) => `Published: ${title} (/pages/${slug}).`),
  ];
}
