// What admins change in brands and written pages, as visitors get it in rendered and cached pages.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changeBrand, listShopBrands } from '#contract/listings/brands.ts';
import {
  addContent,
  type ContentKind,
  listContent,
  publishContent,
  withdrawContent,
} from '#contract/operations/content.ts';
import { type FullShop, startFullShop } from '#tests/harness/operations/full-shop.ts';
import type { Person } from '#tests/harness/people/person.ts';

let shop: FullShop;
let admin: Person;
beforeAll(async () => {
  shop = await startFullShop();
  admin = await shop.admin();
});
afterAll(() => shop.close());

async function get(path: string) {
  const response = await fetch(`${shop.origin}${path}`, { redirect: 'manual' });
  return { status: response.status, location: response.headers.get('location'), html: await response.text() };
}

/** Requests a page until it is cached: from its second request on. */
async function getCached(path: string): Promise<string> {
  await get(path);
  await get(path);
  return (await get(path)).html;
}

async function write(kind: ContentKind, slug: string, body: string): Promise<string> {
  const texts = { title: `Title of ${slug}`, description: `About ${slug}`, body };
  const { insertedId } = await admin.client.call(addContent, { body: { kind, slug, ...texts } });
  return insertedId;
}
const publish = (_id: string) => admin.client.call(publishContent, { params: { _id }, body: { version: 1 } });

test('a published page is rendered, and cached pages link it and lose the link at once', async () => {
  const link = 'href="/pages/contact"';
  const id = await write('page', 'contact', 'Write to **us**.');
  expect(await getCached('/')).not.toContain(link);
  expect((await get('/pages/contact')).status).toBe(404);
  await publish(id);
  expect(await getCached('/')).toContain(link);
  const page = await get('/pages/contact');
  expect(page.html).toContain('<p>Write to <strong>us</strong>.</p>');
  expect(page.html).toContain('<title>Title of contact · Coomercio</title>');
  expect(page.html).toContain('content="About contact"');
  expect((await get('/sitemap-pages.xml')).html).toContain('/pages/contact</loc>');
  await admin.client.call(withdrawContent, { params: { _id: id } });
  expect(await getCached('/')).not.toContain(link);
  expect((await get('/pages/contact')).status).toBe(404);
});

test('the newest posts are on the blog in full, the articles of a fresh shop among them until its owner withdraws them', async () => {
  const question = 'How does prototypal inheritance work?';
  const fresh = await getCached('/blog');
  expect(fresh).toContain(question);
  expect(fresh).toContain('<h3>The prototype chain</h3>');
  expect(fresh).not.toContain('Older articles');
  await publish(await write('post', 'we-moved', 'To a larger workshop.'));
  await publish(await write('post', 'we-grew', 'By two people.'));
  const blog = await getCached('/blog');
  expect(blog).toContain('<p>To a larger workshop.</p>');
  // The sixth.
  expect(blog).toContain('Older articles');
  expect(blog).toContain('href="/blog/angular-react-vue"');
  expect(blog).not.toContain('<h3>How to choose</h3>');
  expect((await get('/blog/we-moved')).html).toContain('<p>To a larger workshop.</p>');
  expect((await get('/blog/angular-react-vue')).html).toContain('<h2>How to choose</h2>');
  expect((await get('/blog/none')).status).toBe(404);
  for (const { _id, kind } of await admin.client.call(listContent, {})) {
    if (kind === 'post') await admin.client.call(withdrawContent, { params: { _id } });
  }
  const empty = await getCached('/blog');
  expect(empty).toContain('There are no articles yet.');
  expect(empty).not.toContain(question);
});

test('registration names the terms and privacy once they are published', async () => {
  expect(await getCached('/register')).not.toContain('you agree to the');
  for (const { _id, slug } of await admin.client.call(listContent, {})) {
    if (slug === 'terms' || slug === 'privacy') await publish(_id);
  }
  const html = await getCached('/register');
  expect(html).toContain('you agree to the');
  expect(html).toContain('href="/pages/terms"');
  expect(html).toContain('href="/pages/privacy"');
});

test('pages of a former name of a brand redirect, and cached pages show the present one', async () => {
  const acer = (await admin.client.call(listShopBrands, {})).find(
    ({ category_Id }) => category_Id === 'Acer',
  );
  expect(await getCached('/')).toContain('href="/category/Acer"');
  await admin.client.call(changeBrand, {
    params: { _id: acer?._id ?? '' },
    body: { name: 'Acer & Co', hidden: false },
  });
  const home = await getCached('/');
  expect(home).not.toContain('href="/category/Acer"');
  expect(home).toContain('Acer &amp; Co');
  expect(await get('/category/Acer?book=1')).toMatchObject({
    status: 301,
    location: '/category/Acer%20&%20Co?book=1',
  });
  expect(await get('/laptops?brand=Acer')).toMatchObject({
    status: 301,
    location: '/laptops?brand=Acer+%26+Co',
  });
  expect((await get('/category/Acer%20%26%20Co')).status).toBe(200);
  expect((await get('/category/Amstrad')).status).toBe(404);
});
