import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addContent,
  type ContentKind,
  deleteContent,
  listContent,
  listPages,
  listPosts,
  MAXIMUM_BODY_LENGTH,
  MAXIMUM_PAGES,
  MAXIMUM_VERSIONS,
  previewContent,
  publishContent,
  readContent,
  readContentVersion,
  readPage,
  readPost,
  saveContent,
  withdrawContent,
} from '#contract/operations/content.ts';
import { listAuditTrail } from '#contract/people/audit.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { type Person, startTestShop, type TestShop } from '#tests/harness/operations/shop.ts';

let shop: TestShop;
let admin: Person;
beforeAll(async () => {
  shop = await startTestShop({
    settings: { legal: { ...defaultShopSettings.legal, company: 'Blue Laptops <Lda>' } },
  });
  admin = await shop.admin();
});
afterAll(() => shop.close());

const texts = { title: 'About us', description: 'Who we are.', body: 'We sell *used* laptops.' };
const add = async (slug: string, changes: Partial<typeof texts> & { kind?: ContentKind } = {}) =>
  (await admin.client.call(addContent, { body: { kind: 'page', slug, ...texts, ...changes } })).insertedId;
const read = (_id: string) => admin.client.call(readContent, { params: { _id } });
const save = async (_id: string, changes: Partial<typeof texts & { slug: string; version: number }>) => {
  const { slug, title, description, body, version } = await read(_id);
  return admin.client.call(saveContent, {
    params: { _id },
    body: { slug, title, description, body, version, ...changes },
  });
};
const publish = async (_id: string, version?: number) =>
  admin.client.call(publishContent, {
    params: { _id },
    body: { version: version ?? (await read(_id)).version },
  });
const shown = (slug: string) => shop.visitor.call(readPage, { params: { slug } });
const listed = async () => (await shop.visitor.call(listPages, {})).map(({ slug }) => slug);
const preview = async (body: string) => (await admin.client.call(previewContent, { body: { body } })).html;

test('a new shop has samples as drafts, whose placeholders have the operator’s name', async () => {
  const samples = (await admin.client.call(listContent, {})).filter(({ kind }) => kind === 'page');
  expect(samples.map(({ slug }) => slug)).toEqual([
    ...['help', 'returns', 'terms', 'privacy', 'accessibility', 'imprint', 'about'],
  ]);
  expect(samples.every(({ publishedVersion }) => publishedVersion === null)).toBe(true);
  expect(await listed()).toEqual([]);
  for (const { _id } of samples) {
    const { body, versions } = await read(_id);
    expect(body).toContain('This is a sample.');
    expect(versions).toMatchObject([{ version: 1, savedBy: null }]);
    expect(await preview(body)).not.toContain('{{');
  }
  const labels = () => preview('{{label-payer}}');
  expect(await labels()).toBe('<p>the seller</p>\n');
  await shop.changeSettings({ shippingBorneBy: 'shop' });
  expect(await labels()).toBe('<p>the shop</p>\n');
  expect(await preview('By {{operator}}, {{unknown}}')).toBe(
    '<p>By Blue Laptops &lt;Lda&gt;, {{unknown}}</p>\n',
  );
});

test('the blog of a new shop has four articles, which its owner edits, withdraws and deletes', async () => {
  const [first, ...others] = await shop.visitor.call(listPosts, {});
  const slugs = others.map(({ slug }) => slug);
  expect([first?.slug, ...slugs]).toEqual([
    'state-management',
    'prototypal-inheritance',
    'unit-tests',
    'angular-react-vue',
  ]);
  const post = (slug: string) => shop.visitor.call(readPost, { params: { slug } });
  expect((await post('unit-tests')).html).toContain('<span class="keyword">const</span> twentyMinutes');
  const posts = (await admin.client.call(listContent, {})).filter(({ kind }) => kind === 'post');
  expect(posts.map(({ slug }) => slug).sort()).toEqual(['state-management', ...slugs].sort());
  for (const { _id } of posts) {
    expect(await save(_id, { body: 'Ours.' })).toMatchObject({ version: 2 });
    await publish(_id);
  }
  expect((await post('unit-tests')).html).toBe('<p>Ours.</p>\n');
  for (const { _id } of posts) {
    await admin.client.call(withdrawContent, { params: { _id } });
    expect(await admin.client.call(deleteContent, { params: { _id } })).toMatchObject({ deletedCount: 1 });
  }
  expect(await shop.visitor.call(listPosts, {})).toEqual([]);
});

test('a published page follows the settings at once', async () => {
  const id = await add('who', { body: 'Of {{shop}}' });
  await publish(id);
  expect((await shown('who')).html).toBe('<p>Of Coomercio</p>\n');
  await shop.changeSettings({ name: 'Second Life' });
  expect((await shown('who')).html).toBe('<p>Of Second Life</p>\n');
  await admin.client.call(withdrawContent, { params: { _id: id } });
});

test('a page is a draft until it is published, at once for everybody, and can be withdrawn and deleted', async () => {
  const id = await add('contact');
  await expect(shown('contact')).rejects.toMatchObject({ status: 404 });
  await publish(id);
  expect(await listed()).toEqual(['contact']);
  expect(await shown('contact')).toMatchObject({
    title: 'About us',
    html: '<p>We sell <em>used</em> laptops.</p>\n',
  });
  expect(await admin.client.call(listAuditTrail, { query: { limit: 1 } })).toMatchObject([
    { act: 'Published page', subject: 'About us (/pages/contact)', note: 'Version 1.' },
  ]);
  const remove = () => admin.client.call(deleteContent, { params: { _id: id } });
  await expect(remove()).rejects.toMatchObject({ status: 403 });
  await admin.client.call(withdrawContent, { params: { _id: id } });
  expect(await listed()).toEqual([]);
  expect(await remove()).toMatchObject({ deletedCount: 1 });
  await expect(remove()).rejects.toMatchObject({ status: 404 });
  const trail = await admin.client.call(listAuditTrail, { query: { limit: 2 } });
  expect(trail.map(({ act }) => act)).toEqual(['Deleted page', 'Withdrew page']);
});

test('saving adds a version, which is published apart; an older one can be read and published again', async () => {
  const id = await add('shipping');
  await publish(id);
  expect(await save(id, { body: 'New' })).toMatchObject({ modifiedCount: 1, version: 2 });
  // Repeated, for example because the response was lost.
  expect(await save(id, { body: 'New' })).toMatchObject({ modifiedCount: 0, version: 2 });
  expect((await shown('shipping')).html).toContain('<em>used</em>');
  await publish(id);
  expect((await shown('shipping')).html).toBe('<p>New</p>\n');
  const { versions } = await read(id);
  expect(versions).toMatchObject([
    { version: 2, savedBy: 'Ada Admin' },
    { version: 1, savedBy: 'Ada Admin' },
  ]);
  const first = await admin.client.call(readContentVersion, { params: { _id: id, version: 1 } });
  expect(first.body).toBe(texts.body);
  await publish(id, 1);
  expect((await shown('shipping')).html).toContain('<em>used</em>');
  await expect(publish(id, 3)).rejects.toMatchObject({ status: 404 });
  // Based on the version before.
  await expect(save(id, { body: 'Other', version: 1 })).rejects.toMatchObject({
    code: 'changed_elsewhere',
  });
});

test('an address is free until the first publication, and belongs to one page', async () => {
  const id = await add('team');
  await save(id, { slug: 'our-team' });
  await expect(add('our-team')).rejects.toMatchObject({ status: 422, errors: { slug: expect.any(String) } });
  // Posts have their own addresses.
  await add('our-team', { kind: 'post' });
  await publish(id);
  await expect(save(id, { slug: 'team' })).rejects.toMatchObject({ status: 422 });
  for (const slug of ['', 'Team', 'a b', '../x', '-a', 'a--b', 'é', 'x'.repeat(61)]) {
    await expect(add(slug), slug).rejects.toMatchObject({
      status: 422,
      errors: { slug: expect.any(String) },
    });
  }
});

test('posts are listed apart, the newest first', async () => {
  const ids = [await add('first-post', { kind: 'post' }), await add('second-post', { kind: 'post' })];
  for (const id of ids) await publish(id);
  const posts = await shop.visitor.call(listPosts, {});
  expect(posts.map(({ slug }) => slug)).toEqual(['second-post', 'first-post']);
  expect((await shop.visitor.call(readPost, { params: { slug: 'first-post' } })).title).toBe('About us');
  expect(await listed()).not.toContain('first-post');
  await expect(shown('first-post')).rejects.toMatchObject({ status: 404 });
});

test('only admins write and read drafts', async () => {
  const seller = await shop.seller();
  const id = await add('secret-draft');
  await expect(seller.client.call(readContent, { params: { _id: id } })).rejects.toMatchObject({
    status: 403,
  });
  await expect(
    seller.client.call(publishContent, { params: { _id: id }, body: { version: 1 } }),
  ).rejects.toMatchObject({ status: 403 });
});

test('another process shows a publication at once', async () => {
  const other = await startTestShop({ database: { ...shop.database, drop: async () => undefined } });
  try {
    const id = await add('history');
    const seen = async () => (await other.visitor.call(listPages, {})).map(({ slug }) => slug);
    await publish(id);
    expect(await seen()).toContain('history');
  } finally {
    await other.close();
  }
});

describe('Markdown', () => {
  test('has no raw HTML, no pictures, and links with safe protocols only', async () => {
    const dangerous = [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '[a](javascript:alert(1))',
      '[a](JaVaScRiPt:alert(1))',
      '[a](&#106;avascript:alert(1))',
      '[a](data:text/html;base64,PHNjcmlwdD4=)',
      '[a](vbscript:x)',
      '[a](//elsewhere.example)',
      '<javascript:alert(1)>',
      '![alt" onerror="alert(1)](https://elsewhere.example/pixel.png "title")',
      '[a](https://x.example "\\" onclick=\\"alert(1)")',
      '```" onclick="alert(1)\n<b>\n```',
      '[a]: javascript:alert(1)\n\n[a]',
    ];
    const html = await preview(dangerous.join('\n\n'));
    const tags = html.match(/<[^>]*>/g) ?? [];
    expect(tags.filter((tag) => !/^<\/?(?:p|pre|code|a)(?: [^>]*)?>$/.test(tag))).toEqual([]);
    expect(tags.filter((tag) => /\son\w+=/i.test(tag.replace(/"[^"]*"/g, '""')))).toEqual([]);
    expect(tags.filter((tag) => tag.startsWith('<a'))).toEqual([
      '<a href="https://x.example" title="&quot; onclick=&quot;alert(1)">',
    ]);
  });

  test('keeps links to the shop, to other sites, to addresses and to telephones', async () => {
    const targets = ['/pages/terms', '#top', 'https://x.example/', 'mailto:a@x.example', 'tel:+351912345678'];
    const html = await preview(targets.map((target) => `[a](${target})`).join('\n'));
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, target]) => target)).toEqual(targets);
  });

  test('has comments, strings and keywords of listings in known languages apart', async () => {
    expect(await preview('```ts\nif (a.if < "//") return; // <b>\n```')).toBe(
      '<pre tabindex="0"><code><span class="keyword">if</span> (a.if &lt; <span class="string">&quot;//&quot;</span>) ' +
        '<span class="keyword">return</span>; <span class="comment">// &lt;b&gt;</span>\n</code></pre>\n',
    );
    expect(await preview('```\nif (a)\n```')).toBe('<pre tabindex="0"><code>if (a)\n</code></pre>\n');
  });

  test('has headings below the title, and tables that scroll by keyboard', async () => {
    expect(await preview('# One\n\n| a |\n|---|\n| b |')).toMatch(
      /^<h2>One<\/h2>\n<section class="wide" tabindex="0" aria-label="Table"><table>/,
    );
  });

  test('has headings of the second level at the top, whichever level its writer uses', async () => {
    expect(await preview('### One\n\n#### Two')).toBe('<h2>One</h2>\n<h3>Two</h3>\n');
  });

  test('is rendered in bounded depth and length', async () => {
    const deep = '> '.repeat(MAXIMUM_BODY_LENGTH / 2);
    expect((await preview(deep)).match(/<blockquote>/g)?.length).toBeLessThanOrEqual(100);
    await expect(preview('x'.repeat(MAXIMUM_BODY_LENGTH + 1))).rejects.toMatchObject({ status: 422 });
  });

  test('colours the longest listing of unfinished strings in bounded time', async () => {
    const before = process.cpuUsage();
    await preview(`\`\`\`ts\n${"\\'".repeat(MAXIMUM_BODY_LENGTH / 2 - 10)}\n\`\`\``);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(250);
  });
});

test('the numbers of pages and of versions are bounded, and the published version is kept', async () => {
  const id = await add('changelog');
  await publish(id);
  for (let at = 0; at < MAXIMUM_VERSIONS + 1; at += 1) await save(id, { body: `Text ${at}` });
  const { versions } = await read(id);
  expect(versions).toHaveLength(MAXIMUM_VERSIONS + 1);
  expect(versions.at(-1)?.version).toBe(1);
  const pages = (await admin.client.call(listContent, {})).filter(({ kind }) => kind === 'page').length;
  for (let at = pages; at < MAXIMUM_PAGES; at += 1) await add(`page-${at}`);
  await expect(add('one-too-many')).rejects.toMatchObject({ status: 422 });
});
