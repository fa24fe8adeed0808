import { expect, test } from '#tests/harness/platform/browser.ts';
import { blogQuestions } from './public-pages.ts';

test('the blog answers its four questions, each with its own anchor', { tag: '@long' }, async ({ page }) => {
  await page.goto('/blog');
  await expect(page.getByRole('article').getByRole('heading', { level: 2 })).toHaveText(blogQuestions);
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link').nth(2).click();
  await expect(page).toHaveURL(/#unit-tests$/);
  await expect(page.getByRole('heading', { name: blogQuestions[2] ?? '' })).toBeInViewport();
  await expect(page.locator('#unit-tests pre .keyword').first()).toBeAttached();
});

test('the navbar opens the blog without loading a document', { tag: '@long' }, async ({ page }) => {
  const documents: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'document') documents.push(request.url());
  });
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Blog' }).click();
  await expect(page.getByRole('article').getByRole('heading', { level: 2 })).toHaveText(blogQuestions);
  expect(documents).toHaveLength(1);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('BUY AND SELL');
});

test('the blog keeps its articles during hydration', async ({ page, request }) => {
  const times = (text: string) => text.split('Object.create').length - 1;
  const data = await (await request.get('/blog.data')).text();
  expect(times(data)).toBeGreaterThan(0);
  await page.goto('/blog', { waitUntil: 'networkidle' });
  const shown = await page.locator('#prototypal-inheritance').innerHTML();
  expect(times(shown)).toBe(times(data));
});
