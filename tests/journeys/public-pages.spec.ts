import { contractModules } from '#contract/calls.ts';
import { deadlineDays } from '#contract/money/order-states.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { anyAmount } from './amounts.ts';
import { blogQuestions, fetchHtml } from './public-pages.ts';

test('the home page shows the title, advertised laptops, brands and reasons to buy', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'BUY AND SELL CERTIFIED PRE-OWNED LAPTOPS',
  );
  await expect(page.getByText('DAILY DEALS. FREE SHIPPING')).toBeVisible();
  await expect(page.getByText('Nothing is added to the price')).toBeVisible();
  await expect(page.getByRole('main').getByRole('list').first().getByRole('listitem')).toHaveText([
    'You pay the shop, not the seller',
    'You look before the seller is paid',
    `${deadlineDays('released')} days to complain once you have it`,
  ]);

  const advertised = page.getByRole('region', { name: 'Advertise Laptops' });
  await expect(advertised).toContainText("Today's Great deals. Buy pre-owned laptops at cheapest price.");
  const first = advertised.getByRole('listitem').first();
  await expect(first.locator('img')).toBeAttached();
  await expect(first.locator('s')).toHaveText(new RegExp(`^${anyAmount}$`));
  await expect(first.locator('strong')).toHaveText(new RegExp(`^${anyAmount}$`));
  await expect(first.getByRole('link', { name: /^Buy Now/ })).toBeVisible();

  const filmed = page.getByRole('link', { name: /^In the film: / });
  await expect(filmed).toContainText(new RegExp(`${anyAmount}, for sale now$`));
  await expect(filmed).toHaveAttribute('href', /^\/laptop\//);

  const inspected = page.getByRole('region', { name: 'Inspected by us' });
  for (const tile of await inspected.getByRole('article').all())
    await expect(tile).toContainText('Inspected');
  await expect(inspected.getByRole('article')).not.toHaveCount(0);
  await expect(inspected.getByRole('link', { name: 'All inspected laptops' })).toHaveAttribute(
    'href',
    '/laptops?level=inspected_hand&level=inspected_photos',
  );

  const brands = page.getByRole('region', { name: 'Product Categories' });
  await expect(brands).toContainText('Choose your favorite brand');
  for (const brand of ['HP', 'Dell', 'Acer']) {
    await expect(brands.getByRole('link', { name: brand })).toHaveAttribute('href', `/category/${brand}`);
  }

  await expect(page.getByRole('link', { name: 'Choose a laptop' })).toHaveAttribute('href', '/laptops');
  const why = page.getByRole('region', { name: 'Why Coomercio' });
  await expect(why.getByRole('term')).toHaveText([
    'Care for customers and planet',
    'Thoroughly tested',
    'Why buy pre-owned',
  ]);
});

test('the hero video plays after the page has loaded, and pauses and resumes by its button', {
  tag: '@long',
}, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
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

test('with reduced motion the video shows its poster and plays only on request', { tag: '@long' }, async ({
  page,
}) => {
  await page.goto('/', { waitUntil: 'load' });
  const play = page.getByRole('button', { name: 'Play the video' });
  await expect(play).toBeVisible();
  await expect(page.locator('video')).toHaveCount(0);
  await expect(page.getByRole('checkbox', { name: 'Pause the banner' })).toBeHidden();
  await play.click();
  await expect(page.locator('video')).toHaveJSProperty('paused', false);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the public pages are readable', async ({ page }) => {
    await page.goto('/blog');
    await expect(page.getByRole('heading', { name: blogQuestions[3] ?? '' })).toBeVisible();
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Advertise Laptops' })).toBeVisible();
    await expect(page.getByRole('img', { name: /laptop, open on warm paper/ })).toBeVisible();
    await page.getByRole('searchbox', { name: 'Find a laptop' }).fill('EliteBook');
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Results for “EliteBook”');
  });

  for (const [path, options] of [
    ['/dashboard', { tag: '@long' }],
    ['/login', {}],
    ['/register', { tag: '@long' }],
    ['/reset-password', { tag: '@long' }],
    ['/verify-email', { tag: '@long' }],
    ['/verify', { tag: '@long' }],
    ['/laptops/compare', { tag: '@long' }],
    ['/category/HP', {}],
  ] as const) {
    test(`${path} says that it needs them`, options, async ({ page }) => {
      await page.goto(path);
      // Playwright finds neither texts nor roles in <noscript>.
      const sentence = page.locator('main noscript p');
      await expect(sentence).toBeVisible();
      await expect(sentence).toContainText('This page needs JavaScript.');
      const link = sentence.locator('a');
      await expect(link).toHaveCount(path === '/category/HP' ? 1 : 0);
      if (path !== '/category/HP') return;
      await link.click();
      await expect(page).toHaveURL('/laptops?brand=HP');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    });
  }
});

test('How it works answers what a buyer asks first, and links to a certificate and its verification', {
  tag: '@long',
}, async ({ page }) => {
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'How it works' }).click();
  await expect(page).toHaveURL('/how-it-works');
  const main = page.getByRole('main');
  const sections = [
    'What does certified mean?',
    'Who holds my money?',
    'What if it is broken?',
    'What does shipping cost?',
    'What do I not get?',
    'Who are the sellers?',
    'Who runs this shop?',
  ];
  for (const name of sections) await expect(main.getByRole('region', { name })).toBeVisible();
  await expect(main.getByRole('navigation').getByRole('link')).toHaveText(sections);
  for (const level of [
    'Seller’s word, not checked',
    'Measured',
    'Inspected from photos',
    'Inspected in hand',
  ]) {
    await expect(main.getByRole('term').filter({ hasText: level })).toBeVisible();
  }
  const money = main.getByRole('region', { name: 'Who holds my money?' });
  await expect(money.getByRole('heading', { level: 3 })).toHaveText([
    'You pay by card',
    'You meet, or it is sent',
    'You look',
    'The money is released',
    `${deadlineDays('released')} days to complain`,
    'The sale is complete',
  ]);
  await main.getByRole('link', { name: 'verify it' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Verify a certificate');
  await page.goBack();
  await main
    .getByRole('link', { name: /^A certificate of this shop/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/c\/[0-9a-f-]{36}$/);
});

test('the links of navbar and footer lead to existing pages', async ({ page, request }) => {
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Coomercio, home' })).toHaveAttribute('href', '/');
  const main = page.getByRole('navigation', { name: 'Main' });
  await expect(main.getByRole('link')).toHaveText(['Home', 'Laptops', 'Blog']);
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
  for (const link of links) if (link?.startsWith('/')) await fetchHtml(request, link);
});

test.describe('a page that does not exist', () => {
  test.use({ expectedConsoleErrors: /status of 404/ });

  test('responds with status 404 and links to the home page', async ({ page }) => {
    const response = await page.goto('/no/such/page');
    expect(response?.status()).toBe(404);
    await expect(page.getByText('The page you are looking for does not exist.')).toBeVisible();
    await page.getByRole('link', { name: 'Go to Homepage' }).click();
    await expect(page).toHaveURL(/\/$/);
  });
});

test('the API reference shows the calls of each group, has an OpenAPI document, and unknown calls return a problem document', {
  tag: '@long',
}, async ({ page, request }) => {
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'For developers' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The calls of Coomercio');
  for (const name of contractModules.keys()) {
    await expect(page.locator(`#operations-tag-${name}`)).toBeAttached();
  }
  await page.getByRole('heading', { name: 'Paying for a booking by card' }).click();
  await page.getByRole('button', { name: '/create-payment-intent' }).first().click();
  await expect(page).toHaveURL(/#\/payments\/createPaymentIntent$/);
  await expect(page.getByText('somebody_is_paying').first()).toBeVisible();

  const description = await request.get('/api/docs/openapi.json');
  expect(await description.json()).toMatchObject({ openapi: '3.1.1' });
  const unknown = await request.get('/api/no-such-call');
  expect(unknown.status()).toBe(404);
  expect(unknown.headers()['content-type']).toContain('application/problem+json');
});
