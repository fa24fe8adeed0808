import type { APIRequestContext, Page } from '@playwright/test';
import { calls } from '#contract/calls.ts';
import { expect, test } from '#tests/harness/browser.ts';

const questions = [
  'How is state managed in a React application?',
  'How does prototypal inheritance work?',
  'What is a unit test, and why write one?',
  'Angular, React or Vue: what is the difference?',
];

async function htmlOf(request: APIRequestContext, path: string): Promise<string> {
  const response = await request.get(path);
  expect(response.status(), path).toBe(200);
  return response.text();
}

/** The structured data of a page, as a search engine reads it. */
function structuredData(page: Page): Promise<unknown[]> {
  return page
    .locator('script[type="application/ld+json"]')
    .evaluateAll((scripts) => scripts.map((script) => JSON.parse(script.textContent ?? '')));
}

/** Addresses of the scripts that a page has fetched, with their sizes in bytes. */
function scriptsOf(page: Page): Promise<[address: string, bytes: number][]> {
  return page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .filter(({ name }) => name.endsWith('.js'))
      .map(({ name, decodedBodySize }) => [name, decodedBodySize]),
  );
}

test('each public page says in its markup what it is, and under which one address', async ({
  request,
  baseURL,
}) => {
  const pages = [
    ['/', '/', 'Coomercio · Certified pre-owned laptops'],
    ['/home', '/', 'Coomercio · Certified pre-owned laptops'],
    ['/blog', '/blog', 'Blog · Coomercio'],
    ['/login', '/login', 'Login · Coomercio'],
    ['/register', '/register', 'Register · Coomercio'],
  ] as const;
  for (const [path, canonical, title] of pages) {
    const html = await htmlOf(request, path);
    expect(html).toContain(`<title>${title}</title>`);
    expect(html).toContain(`<link rel="canonical" href="${baseURL}${canonical}"/>`);
    expect(html).toMatch(/<meta name="description" content="[^"]{40,180}"/);
    for (const property of ['title', 'description', 'url', 'image', 'image:alt', 'type']) {
      expect(html, `${path} og:${property}`).toMatch(
        new RegExp(`<meta property="og:${property}" content="[^"]+"`),
      );
    }
  }
});

test('every page of the sitemap is there and says that it is that page; robots know the sitemap', async ({
  request,
  baseURL,
}) => {
  const robots = await htmlOf(request, '/robots.txt');
  expect(robots).toContain(`Sitemap: ${baseURL}/sitemap.xml`);
  expect(robots).toContain('Disallow: /dashboard');
  const sitemap = await htmlOf(request, '/sitemap.xml');
  const addresses = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address = '']) => address);
  expect(addresses).toContain(`${baseURL}/blog`);
  for (const address of addresses) {
    expect(await htmlOf(request, address)).toContain(`<link rel="canonical" href="${address}"/>`);
  }
});

test('pages that are for one person alone are kept out of search engines, and out of the sitemap', async ({
  request,
}) => {
  const sitemap = await htmlOf(request, '/sitemap.xml');
  for (const path of ['/reset-password', '/verify-email', '/dashboard/myOrders', '/category/HP']) {
    expect(await htmlOf(request, path), path).toContain('<meta name="robots" content="noindex"/>');
    expect(sitemap).not.toContain(path);
  }
});

test('the home page shows what the shop is, sells and stands for', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'BUY AND SELL CERTIFIED PRE-OWNED LAPTOPS',
  );
  await expect(page.getByText('DAILY DEALS. FREE SHIPPING')).toBeVisible();

  const advertised = page.getByRole('region', { name: 'Advertise Laptops' });
  await expect(advertised).toContainText("Today's Great deals. Buy pre-owned laptops at cheapest price.");
  const first = advertised.getByRole('listitem').first();
  await expect(first.locator('img')).toBeAttached();
  await expect(first.locator('s')).toHaveText(/^\$[\d,]+\.\d\d$/);
  await expect(first.locator('strong')).toHaveText(/^\$[\d,]+\.\d\d$/);
  await expect(first.getByRole('link', { name: /^Buy Now/ })).toBeVisible();

  const brands = page.getByRole('region', { name: 'Product Categories' });
  await expect(brands).toContainText('Choose your favorite brand');
  for (const brand of ['HP', 'Dell', 'Acer']) {
    await expect(brands.getByRole('link', { name: brand })).toHaveAttribute('href', `/category/${brand}`);
  }

  const why = page.getByRole('region', { name: 'Why Coomercio' });
  await expect(why.getByRole('term')).toHaveText([
    'Care for customers and planet',
    'Thoroughly tested',
    'Why buy pre-owned',
  ]);
});

test('search engines read what is advertised as offers of used products', async ({ page, baseURL }) => {
  await page.goto('/');
  const advertised = page.getByRole('region', { name: 'Advertise Laptops' });
  const names = await advertised.getByRole('heading', { level: 3 }).allTextContents();
  const [who, list] = await structuredData(page);
  expect(who).toMatchObject({ '@graph': [{ '@type': 'Organization' }, { '@type': 'WebSite' }] });
  expect(list).toMatchObject({
    '@type': 'ItemList',
    itemListElement: names.map((name) => ({
      item: {
        '@type': 'Product',
        name,
        url: expect.stringContaining(`${baseURL}/#laptop-`),
        offers: {
          priceCurrency: 'USD',
          price: expect.stringMatching(/^\d+\.\d\d$/),
          itemCondition: 'https://schema.org/UsedCondition',
          availability: 'https://schema.org/InStock',
        },
      },
    })),
  });
});

test('the hero’s film begins after the page, stops and goes on when told to', async ({ page }) => {
  await page.goto('/');
  const film = page.locator('video');
  await expect(film).toHaveJSProperty('paused', false);
  await expect(film).toHaveJSProperty('muted', true);
  await expect(film).toHaveJSProperty('loop', true);
  const pause = page.getByRole('button', { name: 'Pause the video' });
  await pause.click();
  await expect(film).toHaveJSProperty('paused', true);
  await page.getByRole('button', { name: 'Play the video' }).click();
  await expect(film).toHaveJSProperty('paused', false);
  await expect(pause).toBeVisible();
});

test.describe('where less motion is wanted', () => {
  test.use({ reducedMotion: 'reduce' });

  test('the film stands still on its poster, and plays only when asked', async ({ page }) => {
    await page.goto('/', { waitUntil: 'load' });
    const play = page.getByRole('button', { name: 'Play the video' });
    await expect(play).toBeVisible();
    await expect(page.locator('video')).toHaveCount(0);
    await expect(page.getByRole('checkbox', { name: 'Pause the banner' })).toBeHidden();
    await play.click();
    await expect(page.locator('video')).toHaveJSProperty('paused', false);
  });
});

test('the film is not fetched for who saves data', async ({ page }) => {
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(request.url()));
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  );
  await page.goto('/', { waitUntil: 'networkidle' });
  await expect(page.getByRole('button', { name: 'Play the video' })).toBeVisible();
  expect(fetched.filter((url) => /hero-loop.*\.(webm|mp4)/.test(url))).toEqual([]);
  expect(fetched.filter((url) => /hero-loop-poster.*\.avif/.test(url))).toHaveLength(1);
});

test('the blog answers its four questions, each with an address of its own', async ({ page }) => {
  await page.goto('/blog');
  await expect(page.getByRole('article').getByRole('heading', { level: 2 })).toHaveText(questions);
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link').nth(2).click();
  await expect(page).toHaveURL(/#unit-tests$/);
  await expect(page.getByRole('heading', { name: questions[2] ?? '' })).toBeInViewport();
  await expect(page.locator('.articles pre .keyword').first()).toBeAttached();
  expect(await structuredData(page)).toMatchObject([
    { '@type': 'Blog', blogPost: questions.map((headline) => ({ '@type': 'BlogPosting', headline })) },
  ]);
});

test('the blog is opened from the navbar without a new document, and is the same page', async ({ page }) => {
  const documents: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'document') documents.push(request.url());
  });
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Blog' }).click();
  await expect(page.getByRole('article').getByRole('heading', { level: 2 })).toHaveText(questions);
  expect(documents).toHaveLength(1);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('BUY AND SELL');
});

test('the blog sends hardly any script of its own', async ({ page, openVisitor }) => {
  const elsewhere = await openVisitor();
  await elsewhere.goto('/login', { waitUntil: 'networkidle' });
  const common = new Set((await scriptsOf(elsewhere)).map(([address]) => address));
  await page.goto('/blog', { waitUntil: 'networkidle' });
  const own = (await scriptsOf(page)).filter(([address]) => !common.has(address));
  expect(own.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThan(6_000);
});

test('the blog sends its articles once, and keeps them while the page is taken over', async ({
  page,
  request,
}) => {
  const times = (text: string) => text.split('Object.create').length - 1;
  const document = await htmlOf(request, '/blog');
  const data = await (await request.get('/blog.data')).text();
  expect(times(document)).toBeGreaterThan(0);
  expect(times(document)).toBe(times(data));
  await page.goto('/blog', { waitUntil: 'networkidle' });
  const shown = await page.locator('#articles').innerHTML();
  expect(times(shown)).toBe(times(document));
});

test('home is light: at most 110 kB of script and 60 kB of fonts, compressed', async ({ page }) => {
  await page.goto('/', { waitUntil: 'networkidle' });
  const weights = await page.evaluate(() => {
    const files = performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming);
    const weighed = (ending: string) =>
      files
        .filter(({ name }) => name.endsWith(ending))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    return { script: weighed('.js'), fonts: weighed('.woff2') };
  });
  expect(weights.script).toBeGreaterThan(50_000);
  expect(weights.script).toBeLessThanOrEqual(110_000);
  expect(weights.fonts).toBeGreaterThan(20_000);
  expect(weights.fonts).toBeLessThanOrEqual(60_000);
});

test('pages for reading fetch their scripts after the first paint', async ({ page }) => {
  await page.goto('/', { waitUntil: 'networkidle' });
  const { painted, fetched } = await page.evaluate(() => ({
    painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    fetched: performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .map(({ startTime }) => startTime),
  }));
  expect(fetched.length).toBeGreaterThan(3);
  expect(Math.min(...fetched)).toBeGreaterThanOrEqual(painted);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the public pages can be read', async ({ page }) => {
    await page.goto('/blog');
    await expect(page.getByRole('heading', { name: questions[3] ?? '' })).toBeVisible();
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Advertise Laptops' })).toBeVisible();
    await expect(page.getByRole('img', { name: /laptop, open on warm paper/ })).toBeVisible();
  });
});

test('navbar and footer lead to real pages', async ({ page, request }) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Coomercio, home' })).toHaveAttribute('href', '/');
  const main = page.getByRole('navigation', { name: 'Main' });
  await expect(main.getByRole('link')).toHaveText(['Home', 'Blog']);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toHaveAttribute(
    'href',
    '/login',
  );
  const footer = page.getByRole('contentinfo');
  for (const column of ['Quick Links', 'Company', 'Social']) {
    await expect(footer.getByRole('heading', { name: column })).toBeVisible();
  }
  const links = await footer.getByRole('link').evaluateAll((all) => all.map((a) => a.getAttribute('href')));
  expect(links.length).toBeGreaterThan(4);
  for (const link of links) await htmlOf(request, link ?? '');
});

test.describe('a page that does not exist', () => {
  test.use({ expectedConsoleErrors: /status of 404/ });

  test('says so with status 404, and leads home', async ({ page }) => {
    const response = await page.goto('/no/such/page');
    expect(response?.status()).toBe(404);
    await expect(page.getByText('The page you are looking for does not exist.')).toBeVisible();
    await page.getByRole('link', { name: 'Go to Homepage' }).click();
    await expect(page).toHaveURL(/\/$/);
  });
});

test('the calls can be browsed, read by programs, and an unknown one is a problem document', async ({
  page,
  request,
}) => {
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'For developers' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The calls of Coomercio');
  for (const name of calls.keys()) await expect(page.locator(`article#${name}`)).toBeAttached();
  await page.getByRole('link', { name: 'createPaymentIntent' }).click();
  await expect(page.getByRole('heading', { name: '/api/create-payment-intent' })).toBeInViewport();

  const description = await request.get('/api/docs/openapi.json');
  expect(await description.json()).toMatchObject({ openapi: '3.1.1' });
  const unknown = await request.get('/api/no-such-call');
  expect(unknown.status()).toBe(404);
  expect(unknown.headers()['content-type']).toContain('application/problem+json');
});
