import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAXIMUM_BRANDS } from '#contract/listings/brands.ts';
import { listBrands } from '#contract/listings/catalogue.ts';
import { listPages, readPage } from '#contract/operations/content.ts';
import { exportShopSettings, readSettings, readShopSettings } from '#contract/operations/settings.ts';
import { createPictureEncoder } from '#server/listings/photos/actions.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';
import { SetupFileError, setUp } from './setup.ts';

const encoder = createPictureEncoder();
let shop: TestShop;
let admin: Person;
let folder: string;
beforeAll(async () => {
  shop = await startTestShop();
  admin = await shop.admin();
  folder = await mkdtemp(join(tmpdir(), 'setup-'));
});
afterAll(async () => {
  await encoder.close();
  await shop.close();
  await rm(folder, { recursive: true });
});

const write = (name: string, content: string | Buffer) => writeFile(join(folder, name), content);
const run = async (file: string) => {
  await write('shop.yaml', file);
  return setUp(shop.connection.database, encoder, join(folder, 'shop.yaml'));
};

const file = `
settings:
  name: Zweite Hand
  contact: { email: hallo@shop.example }
  legal:
    company: Zweite Hand GmbH
    address: Ring 1, 1010 Wien
  commission: { basisPoints: 500, fixedCents: 100 }
pictures:
  logo: logo.png
brands: [Lenovo, HP]
pages:
  - slug: imprint
    title: Imprint
    description: Who runs this shop.
    file: imprint.md
`;

test('a file names the shop, its brands and its pages, and running it again changes nothing', async () => {
  const red = { r: 200, g: 0, b: 0 };
  await write(
    'logo.png',
    await sharp({ create: { width: 40, height: 10, channels: 3, background: red } })
      .png()
      .toBuffer(),
  );
  await write('imprint.md', 'Zweite Hand GmbH, **Vienna**.');
  expect(await run(file)).toEqual([
    'The settings of Zweite Hand apply now.',
    'Brands: Lenovo, HP.',
    'Published: Imprint (/pages/imprint).',
  ]);
  await expect
    .poll(async () => (await admin.client.call(readSettings, {})).shop)
    .toMatchObject({ name: 'Zweite Hand', logo: { width: 40 }, legal: { address: 'Ring 1, 1010 Wien' } });
  const { settings, version } = await admin.client.call(readShopSettings, {});
  // What the file leaves out stays.
  expect(settings).toMatchObject({ since: 2018, contact: { email: 'hallo@shop.example', phone: '' } });
  await expect
    .poll(async () => (await admin.client.call(listBrands, {})).map(({ category_Id }) => category_Id))
    .toEqual(['Lenovo', 'HP']);
  await expect
    .poll(async () => (await admin.client.call(listPages, {})).map(({ slug }) => slug))
    .toContain('imprint');
  const before = await admin.client.call(readPage, { params: { slug: 'imprint' } });
  expect(before.html).toContain('<strong>Vienna</strong>');

  await run(file);
  expect((await admin.client.call(readShopSettings, {})).version).toBe(version);
  expect(await admin.client.call(readPage, { params: { slug: 'imprint' } })).toEqual(before);
});

test('the example of docs/deploy.md is one', async () => {
  const document = await readFile('docs/deploy.md', 'utf8');
  const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(document) ?? [];
  const square = { create: { width: 512, height: 512, channels: 3, background: 'teal' } } as const;
  await write('logo.png', await sharp(square).png().toBuffer());
  await write('icon.png', await sharp(square).png().toBuffer());
  await write('terms.md', 'All sales are between people.');
  expect(await run(example)).toContain('Published: Terms (/pages/terms).');
  expect((await admin.client.call(readShopSettings, {})).settings).toMatchObject({
    currency: 'EUR',
    country: 'AT',
  });
});

test('an exported file is a setup file', async () => {
  const exported = await admin.client.call(exportShopSettings, {});
  await run('settings: { name: Another, colors: { link: { light: "#095f5b", dark: "#7fe3d8" } } }');
  await run(JSON.stringify(exported));
  expect(await admin.client.call(exportShopSettings, {})).toEqual(exported);
});

test('a path in an exported file replaces its picture', async () => {
  await run('pictures: { icon: icon.png }');
  const exported = await admin.client.call(exportShopSettings, {});
  const gold = { create: { width: 512, height: 512, channels: 3, background: 'gold' } } as const;
  await write('gold.png', await sharp(gold).png().toBuffer());
  await run(JSON.stringify({ ...exported, pictures: { ...exported.pictures, icon: 'gold.png' } }));
  const { settings } = await admin.client.call(exportShopSettings, {});
  expect(settings.icon?.name).not.toBe(exported.settings.icon?.name);
  expect(settings.logo).toEqual(exported.settings.logo);
});

test.each([
  [
    'settings: { nam: Shop, contact: { fax: 1 } }',
    '  settings.nam: There is no such setting.\n  settings.contact.fax',
  ],
  ['settings: { name: "" }\nbrands: [Lenovo]', '  settings.name: Please write the name of the shop.'],
  [
    'settings: { name: Half }\npages: [{ slug: A b, title: A, description: B, file: imprint.md }]',
    '  pages.0.slug: An',
  ],
  ['brand: [Lenovo]', 'brand'],
  ['brands: [HP, HP]', '  brands: Name each brand once.'],
  [
    `settings: { name: Twice }
pages:
  - { slug: imprint, title: A, description: B, file: imprint.md }
  - { slug: imprint, title: C, description: D, file: terms.md }`,
    '  pages: Name each page once.',
  ],
  ['settings: [', '  '],
  ['', '  It is empty.'],
  ['- settings', '  Invalid input: expected object, received array.'],
])('%j is refused with the place of the error, and nothing is changed', async (wrong, sentence) => {
  const { version } = await admin.client.call(readShopSettings, {});
  const refused = await run(wrong).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(SetupFileError);
  expect(refused).toMatchObject({ message: expect.stringContaining(sentence) });
  expect((await admin.client.call(readShopSettings, {})).version).toBe(version);
});

test('the currency stays while a laptop is listed, and the sentence says what to do', async () => {
  await run('brands: [Lenovo]');
  await shop.laptop(await shop.seller(), { category_Id: 'Lenovo' });
  await expect(run('settings: { currency: HUF }')).rejects.toMatchObject({
    message: expect.stringMatching(
      /^The setup stopped at the settings: .* Nothing was saved\. Sellers delete their laptops under My Products/,
    ),
    cause: { code: 'currency_in_use' },
  });
});

test('a step that is refused says that those before it apply', async () => {
  const brands = JSON.stringify(Array.from({ length: MAXIMUM_BRANDS }, (_, at) => `Brand ${at}`));
  await expect(run(`{ settings: { name: Fourth Hand }, brands: ${brands} }`)).rejects.toMatchObject({
    message:
      'The setup stopped at a brand: A shop has up to 100 brands. Please merge some first. Nothing was changed. What came before it applies, beginning with the settings.',
  });
  expect((await admin.client.call(readShopSettings, {})).settings.name).toBe('Fourth Hand');
});
