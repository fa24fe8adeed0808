import type { Page } from '@playwright/test';
import { addBrand, changeBrand } from '#contract/listings/brands.ts';
import { measure } from '#server/certification/certificates/testing/measure.ts';
import { openBrowserSession } from '#tests/harness/people/browser-session.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { approveFromPhotos, createLaptop, createSeller, newName, password, shopOrigin } from './actions.ts';
import { currency, shown, shownShortly, typed } from './amounts.ts';
import { findAxeViolations } from './axe.ts';

/** Laptops of the demo shop stay as they are; other journeys add more of these brands. */
const box = (page: Page) => page.getByRole('banner').getByLabel('Search laptops');
const cards = (page: Page) => page.getByRole('region', { name: 'Results' }).getByRole('article');
const count = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('status')
    .filter({ hasText: /laptops?: / });
const chips = (page: Page) => page.getByRole('list', { name: 'Chosen filters' });
const filters = (page: Page) => page.getByRole('form', { name: 'Filters' });

async function countOf(page: Page): Promise<number> {
  return Number.parseInt((await count(page).textContent()) ?? '', 10);
}

/** Lists laptops whose names share a word that no other laptop has. @returns the word */
async function listModels(names: readonly { name: string; brand: string; price: number }[]): Promise<string> {
  const word = newName('q').replace(/\W/g, '');
  const seller = await createSeller();
  for (const { name, brand, price } of names)
    await createLaptop(seller, { name: `${name} ${word}`, brand, price });
  return word;
}

/** Opens the results of a search, as soon as the index has all of them. */
async function openResults(page: Page, search: string, total: number): Promise<void> {
  await expect(async () => {
    await page.goto(`/laptops?${search}`);
    expect(await countOf(page)).toBe(total);
  }).toPass();
}

test('finds a misspelled model, and says which word was searched', { tag: '@long' }, async ({ page }) => {
  await page.goto('/blog');
  await box(page).fill('elitebok');
  await box(page).press('Enter');
  await expect(page).toHaveURL('/laptops?q=elitebok');
  await expect(page.getByText('Showing results for elitebook')).toBeVisible();
  await expect(cards(page).first()).toContainText('EliteBook');
  await expect(box(page)).toHaveValue('elitebok');
});

test('suggests matching laptops below the searches, by keyboard and by mouse', { tag: '@long' }, async ({
  page,
}) => {
  const word = await listModels([
    { name: 'Spectre', brand: 'HP', price: 700 },
    { name: 'Envy', brand: 'HP', price: 300 },
    { name: 'Inspiron', brand: 'Dell', price: 500 },
  ]);
  await openResults(page, `q=${word}`, 3);
  await page.goto('/blog');
  const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
  await box(page).fill(word.slice(0, -1));
  await expect(options).toHaveText([
    /3 laptops$/,
    `Inspiron ${word}${shown(500)}`,
    `Envy ${word}${shown(300)}`,
  ]);
  await expect(options.nth(1).getByRole('presentation')).toBeVisible();
  expect(await findAxeViolations(page)).toEqual([]);
  // Up from the input is the last one.
  await page.keyboard.press('ArrowUp');
  await expect(options.last()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: `Envy ${word}` })).toBeVisible();
  await box(page).fill(word.slice(0, -1));
  await options.nth(1).click();
  await expect(page.getByRole('heading', { level: 1, name: `Inspiron ${word}` })).toBeVisible();
});

test('filters by the least battery, which the cards show', { tag: '@long' }, async ({ page }) => {
  const word = newName('q').replace(/\W/g, '');
  const seller = await createSeller();
  const list = (name: string, battery: string) => createLaptop(seller, { name: `${name} ${word}`, battery });
  await list('Fresh', '57 Wh, 96 % health');
  await list('Used', '84% of its capacity left');
  await list('Tired', '61 %');
  const measured = await list('Measured', '99 %');
  await measure({ origin: shopOrigin() }, seller, measured);
  await openResults(page, `q=${word}&battery=90`, 2);
  await expect(cards(page)).toContainText([/battery\s91\s%/, /battery\s96\s%/]);
  const value = (name: string) => filters(page).getByRole('checkbox', { name });
  await expect(value('Battery 90 % or more 2 laptops')).toBeChecked();
  await value('Battery 80 % or more 3 laptops').check();
  await expect(count(page)).toHaveText(/^3 laptops:/);
  await chips(page).getByRole('link', { name: 'Remove Battery 80 % or more' }).click();
  await expect(count(page)).toHaveText(/^2 laptops:/);
  await cards(page)
    .getByRole('link', { name: `Measured ${word}`, exact: true })
    .click();
  await expect(page.getByRole('link', { name: '91 % of its capacity when new, measured' })).toHaveAttribute(
    'href',
    '/laptops?battery=90',
  );
});

test('filters by several values, with counts that are those of the results', async ({ page }) => {
  const word = await listModels([
    { name: 'Spectre', brand: 'HP', price: 700 },
    { name: 'Envy', brand: 'HP', price: 300 },
    { name: 'Inspiron', brand: 'Dell', price: 500 },
  ]);
  await openResults(page, `q=${word}`, 3);
  const value = (name: string) => filters(page).getByRole('checkbox', { name });
  await expect(value('HP 2 laptops')).not.toBeChecked();
  await value('Dell 1 laptop').check();
  await expect(count(page)).toHaveText(/^1 laptop:/);
  await expect(cards(page)).toHaveCount(1);
  // Counted against the other filters: more brands can be added.
  await value('HP 2 laptops').check();
  await expect(count(page)).toHaveText(/^3 laptops:/);
  await expect(page).toHaveURL(`/laptops?q=${word}&brand=Dell&brand=HP`);
  await expect(value('HP')).toBeFocused();

  await filters(page)
    .getByLabel(`To in ${currency.name}`)
    .fill(`${currency.sign}${typed(600)}`);
  await page.keyboard.press('Enter');
  await expect(count(page)).toHaveText(/^2 laptops:/);
  await expect(value('HP')).toBeChecked();
  await expect(filters(page).getByText('HP1 laptop')).toBeVisible();
  await page.getByLabel('Sort by').selectOption('Price, lowest first');
  await expect(cards(page).getByRole('heading')).toHaveText([`Envy ${word}`, `Inspiron ${word}`]);

  await chips(page).getByRole('link', { name: 'Remove Dell' }).click();
  await expect(cards(page).getByRole('heading')).toHaveText([`Envy ${word}`]);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  await page.goBack();
  await expect(count(page)).toHaveText(/^2 laptops:/);
  await expect(value('Dell')).toBeChecked();
  await page.reload();
  await expect(page.getByLabel('Sort by')).toHaveValue('price');
  await expect(filters(page).getByLabel(`To in ${currency.name}`)).toHaveValue(typed(600));
  await page.goForward();
  await expect(count(page)).toHaveText(/^1 laptop:/);
  await page.getByRole('link', { name: 'Clear all' }).click();
  await expect(page).toHaveURL('/laptops');
  await expect(chips(page)).toHaveCount(0);
});

test('filters by how well laptops are checked', { tag: '@long' }, async ({ page }) => {
  const word = newName('q').replace(/\W/g, '');
  const seller = await createSeller();
  const list = (level: string) => createLaptop(seller, { name: `${level} ${word}` });
  const [, measured, inspected] = [await list('Word'), await list('Measured'), await list('Inspected')];
  await measure({ origin: shopOrigin() }, seller, measured);
  await measure({ origin: shopOrigin() }, seller, inspected);
  await approveFromPhotos(inspected);
  await openResults(page, `q=${word}&level=inspected_hand&level=inspected_photos`, 1);
  const value = (name: string) => filters(page).getByRole('checkbox', { name });
  await expect(value('Seller’s word 1 laptop')).not.toBeChecked();
  await expect(value('Inspected from photos 1 laptop')).toBeChecked();
  await expect(value('Inspected in hand 0 laptops')).toBeChecked();
  await expect(cards(page)).toContainText([`Inspected ${word}`]);
  await value('Measured 1 laptop').check();
  await expect(count(page)).toHaveText(/^2 laptops:/);
  await cards(page)
    .filter({ hasText: `Measured ${word}` })
    .getByRole('button', { name: 'Checked: Measured' })
    .click();
  await expect(page.getByText('Its seller ran a program on the laptop')).toBeVisible();
  await page.keyboard.press('Escape');
  await chips(page).getByRole('link', { name: 'Remove Inspected in hand' }).click();
  await chips(page).getByRole('link', { name: 'Remove Inspected from photos' }).click();
  await expect(cards(page).getByRole('heading')).toHaveText([`Measured ${word}`]);
});

test('a price that is no number is explained, and changes nothing', { tag: '@long' }, async ({ page }) => {
  await page.goto('/laptops');
  await filters(page).getByLabel(`From in ${currency.name}`).fill('cheap');
  await filters(page).getByRole('button', { name: 'Go' }).click();
  await expect(filters(page).getByRole('alert')).toHaveText(`Type whole ${currency.name}, such as 500.`);
  await expect(page).toHaveURL('/laptops');
});

test('shows what to loosen when nothing matches', { tag: '@long' }, async ({ page }) => {
  const word = await listModels([{ name: 'Zbook', brand: 'HP', price: 900 }]);
  await openResults(page, `q=${word}`, 1);
  await page.goto(`/laptops?q=${word}&max_price=${typed(100)}`);
  await expect(page.getByRole('heading', { name: 'No laptop matches all of this' })).toBeVisible();
  await page.getByRole('link', { name: 'At any price: 1 laptop' }).click();
  await expect(cards(page)).toHaveCount(1);
});

test('reads a purpose, a price and a place in the words, as chips that can be removed', {
  tag: '@long',
}, async ({ page }) => {
  await page.goto('/');
  await box(page).fill(`video editing under ${currency.sign}${typed(1500)} near Portland`);
  await box(page).press('Enter');
  await expect(page).toHaveURL(
    `/laptops?q=video+editing+under+${encodeURIComponent(currency.sign)}${typed(1500)}+near+Portland`,
  );
  await expect(chips(page).getByRole('link')).toHaveText([
    'Remove 16 GB or more “video editing”',
    'Remove Dedicated graphics “video editing”',
    'Remove Portland, Oregon “near Portland”',
    `Remove up to ${shownShortly(1500)} “under ${currency.sign}${typed(1500)}”`,
    'Clear all',
    'Save this search',
  ]);
  await expect(cards(page).filter({ hasText: 'Acer Swift X SFX14-41G' })).toBeVisible();
  await expect(filters(page).getByRole('checkbox', { name: '16 GB or more' })).toBeChecked();
  const all = await countOf(page);
  await chips(page).getByRole('link', { name: 'Remove Dedicated graphics' }).click();
  await expect(page).toHaveURL(
    `/laptops?memory=16-or-more&place=Portland%2C+Oregon&max_price=${typed(1500)}`,
  );
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect.poll(() => countOf(page)).toBeGreaterThan(all);
  await page.goBack();
  await expect(box(page)).toHaveValue(`video editing under ${currency.sign}${typed(1500)} near Portland`);
  await page.getByRole('link', { name: 'Search for the word instead' }).click();
  await expect(page).toHaveURL(/q=%22video\+editing%22/);
});

test('suggests purposes and places', { tag: '@long' }, async ({ page }) => {
  await page.goto('/blog');
  const list = page.getByRole('listbox', { name: 'Suggestions' });
  await box(page).fill('vid');
  await expect(list.getByRole('option').first()).toContainText(/video editing\s*\d+/);
  await box(page).fill('portl');
  await expect(list.getByRole('option').first()).toContainText(/Portland\s*\d+/);
});

test('names the closest laptops when nothing matches, with what they lack', { tag: '@long' }, async ({
  page,
}) => {
  await page.goto(`/laptops?q=gaming+under+${encodeURIComponent(currency.sign)}${typed(100)}+in+Portland`);
  const closest = page.getByRole('region', { name: 'The closest laptops' });
  await expect(closest.getByRole('article')).toHaveCount(6);
  await expect(closest.getByText(/^Does not match:/)).toHaveCount(6);
  await expect(closest.getByText(`Does not match: up to ${shownShortly(100)}`).first()).toBeVisible();
  expect(await findAxeViolations(page)).toEqual([]);
});

test('shows which filters to remove together when nothing matches without one', { tag: '@long' }, async ({
  page,
}) => {
  await page.goto(`/laptops?brand=HP&memory=64&condition=Fair&max_price=${typed(100)}`);
  await expect(page.getByRole('heading', { name: 'No laptop matches all of this' })).toBeVisible();
  await expect(page.getByText('spelling')).toHaveCount(0);
  const link = page.getByRole('link', { name: /^Without .* and .*: \d+ laptops?$/ }).first();
  const [, total] = /: (\d+) laptop/.exec((await link.textContent()) ?? '') ?? [];
  await link.click();
  await expect(count(page)).toHaveText(new RegExp(`^${total} laptops?:`));
  await expect(cards(page).first()).toBeVisible();
});

test('ignores parameters that it does not know', { tag: '@long' }, async ({ page }) => {
  await page.goto('/laptops?brand=HP&memory=lots&system=amiga&cursor=e30&utm_source=letter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('HP laptops');
  await expect(chips(page).getByRole('link')).toHaveText(['Remove HP', 'Clear all', 'Save this search']);
  expect(await countOf(page)).toBeGreaterThanOrEqual(8);
});

test('search engines see one URL of a search, and index no combinations', { tag: '@long' }, async ({
  page,
}) => {
  await page.goto('/laptops?sort=price&brand=HP');
  await expect(page).toHaveTitle('HP laptops · Coomercio');
  const canonical = page.locator('link[rel=canonical]');
  await expect(canonical).toHaveAttribute('href', /\/laptops\?brand=HP$/);
  await expect(page.locator('meta[name=robots]')).toHaveCount(0);
  await page.goto('/laptops?memory=16&brand=HP');
  await expect(canonical).toHaveAttribute('href', /\/laptops\?brand=HP&memory=16$/);
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex, follow');
});

test('further laptops are on a page of their own', { tag: '@long' }, async ({ page }) => {
  // Laptops of this test alone: other journeys list and sell meanwhile, and look for theirs on the first page of a brand.
  const { client: admin } = await openBrowserSession(shopOrigin(), (actions) =>
    actions.signIn('admin@coomercio.example', password),
  );
  const brand = newName('Brand');
  const { insertedId: _id } = await admin.call(addBrand, { body: { name: brand } });
  const word = await listModels(
    Array.from({ length: 26 }, (_, at) => ({ name: 'Aspire', brand, price: 250 + at })),
  );
  await admin.call(changeBrand, { params: { _id }, body: { name: brand, hidden: true } });
  await openResults(page, `q=${word}`, 26);
  await page.getByRole('link', { name: 'More laptops' }).click();
  await expect(page).toHaveURL(/[?&]cursor=/);
  await expect(cards(page)).toHaveCount(2);
  await expect(count(page)).toHaveText(/^25–26 of 26 laptops:/);
  await page.getByRole('link', { name: 'Back to the first' }).click();
  await expect(page).toHaveURL(`/laptops?q=${word}`);
  await expect(cards(page)).toHaveCount(24);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the search and the filters are plain forms', async ({ page }) => {
    await page.goto('/');
    await box(page).fill('hp');
    await box(page).press('Enter');
    await expect(page).toHaveURL('/laptops?q=hp');
    const all = await countOf(page);
    const excellent = filters(page).getByRole('checkbox', { name: 'Excellent' });
    await excellent.check();
    await filters(page).getByRole('button', { name: 'Apply', exact: true }).click();
    await expect(page).toHaveURL(/condition=Excellent/);
    await expect(excellent).toBeChecked();
    await expect(chips(page).getByRole('link', { name: 'Remove Excellent' })).toBeVisible();
    expect(await countOf(page)).toBeLessThan(all);
    await page.getByLabel('Sort by').selectOption('Price, highest first');
    await page.getByRole('button', { name: 'Sort' }).click();
    await expect(page).toHaveURL(/sort=-price/);
    await expect(excellent).toBeChecked();
  });

  test('a phone shows the filters in the page', { tag: '@long' }, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/laptops');
    await expect(filters(page)).toBeHidden();
    await page.getByRole('link', { name: 'Filters' }).click();
    await filters(page).getByRole('checkbox', { name: 'HP' }).check();
    await filters(page).getByRole('button', { name: 'Apply', exact: true }).click();
    await expect(page).toHaveURL(/brand=HP/);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('the search stays on top while one scrolls', { tag: '@long' }, async ({ page }) => {
    await page.goto('/laptops');
    await page.mouse.wheel(0, 1_500);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(1_000);
    await expect(box(page)).toBeInViewport();
    await expect(page.getByRole('link', { name: 'Coomercio, home' })).not.toBeInViewport({ ratio: 0.5 });
  });
});

test('compares up to four laptops, and marks what is best and what is the same', async ({ page }) => {
  const word = await listModels([
    { name: 'Spectre', brand: 'HP', price: 700 },
    { name: 'Envy', brand: 'HP', price: 300 },
    { name: 'Inspiron', brand: 'Dell', price: 500 },
    { name: 'Vostro', brand: 'Dell', price: 510 },
    { name: 'Nitro', brand: 'Acer', price: 520 },
  ]);
  await openResults(page, `q=${word}`, 5);
  for (const name of ['Spectre', 'Envy', 'Inspiron', 'Vostro']) {
    await page.getByRole('button', { name: `Compare ${name}` }).click();
  }
  const fifth = page.getByRole('button', { name: 'Compare Nitro' });
  await expect(fifth).toHaveAttribute('aria-disabled', 'true');
  const bar = page.getByRole('region', { name: 'Comparison' });
  await bar.getByRole('button', { name: `Remove Vostro ${word} from the comparison` }).click();
  await expect(fifth).not.toHaveAttribute('aria-disabled');
  await bar.getByRole('link', { name: 'Compare 3' }).click();

  await expect(page.getByRole('heading', { level: 1, name: 'Compare laptops' })).toBeVisible();
  await expect(page.getByRole('columnheader')).toHaveCount(3);
  expect(await findAxeViolations(page)).toEqual([]);
  await expect(page.getByRole('row', { name: /^Resale price/ })).toContainText(`${shown(300)}lowest price`);
  await expect(page.getByRole('rowheader', { name: 'Condition the same' })).toBeVisible();
  await page.reload();
  await page.getByRole('link', { name: `Remove Envy ${word}` }).click();
  await expect(page.getByRole('columnheader')).toHaveCount(2);
  await page.goBack();
  await expect(page.getByRole('columnheader')).toHaveCount(3);
});

test('a comparison without known laptops says how to choose some', { tag: '@long' }, async ({ page }) => {
  await page.goto('/laptops/compare?id=junk&id=00000000-0000-4000-8000-000000000000');
  await expect(page.getByText('It is left out.')).toBeVisible();
  await page.getByRole('link', { name: 'Choose laptops' }).click();
  await expect(page).toHaveURL('/laptops');
});

test('the scroll position returns with the results', { tag: '@long' }, async ({ page }) => {
  await page.goto('/laptops');
  await page.mouse.wheel(0, 1_200);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(1_000);
  await page.getByRole('link', { name: 'Blog', exact: true }).first().click();
  await expect(page).toHaveURL('/blog');
  await page.goBack();
  await expect(cards(page).first()).toBeVisible();
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(1_000);
});

test('recently seen laptops stay in this browser until they are cleared', { tag: '@long' }, async ({
  page,
}) => {
  await page.goto('/laptops?q=elitebook');
  const names = await cards(page).getByRole('heading').allTextContents();
  for (const name of names.slice(0, 2)) {
    await cards(page).getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await page.goBack();
    // Its page shows similar laptops.
    await expect(page.getByRole('heading', { level: 1, name })).toHaveCount(0);
  }
  const list = page.getByRole('region', { name: 'Recently seen' });
  await expect(list.getByRole('link')).toHaveText(names.slice(0, 2).reverse());
  await page.reload();
  await expect(list.getByRole('link')).toHaveCount(2);
  await list.getByRole('button', { name: 'Clear' }).click();
  await expect(list).toHaveCount(0);
  await page.reload();
  await expect(cards(page).first()).toBeVisible();
  await expect(list).toHaveCount(0);
});
