import type { Page } from '@playwright/test';
import { confirmOrder } from '#contract/orders.ts';
import { expect, test } from '#tests/harness/browser.ts';
import { expectLoaded, expectToast, startSessionOf } from './actions.ts';
import { findAxeViolations } from './axe.ts';
import { fetchHtml, readStructuredData } from './public-pages.ts';
import { createSale } from './sale.ts';

test.use({ reducedMotion: 'reduce' });

const reviews = (page: Page) => page.getByRole('region', { name: 'Reviews', exact: true });

/** Fills the form for a review and sends it. */
async function review(page: Page, stars: string, words: string) {
  const form = page.getByRole('form', { name: 'Your review' });
  await form.getByRole('radio', { name: stars }).check();
  await form.getByLabel('Your words').fill(words);
  await form.getByRole('button', { name: 'Send the review' }).click();
  await expectToast(page, 'Thank you. Your review is stored.');
}

async function expectNoViolations(page: Page) {
  await expectLoaded(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findAxeViolations(page), colorScheme).toEqual([]);
  }
  for (const width of [390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
}

test('both sides review each other, the seller answers, everybody reads it, and an admin removes it', async ({
  page: buyer,
  openVisitor,
  request,
}) => {
  test.slow();
  const [seller, visitor, admin] = [await openVisitor(), await openVisitor(), await openVisitor()];
  const sale = await createSale(seller, buyer);
  const { buyerSession, orderId, laptopId } = sale;
  await buyerSession.client.call(confirmOrder, { params: { _id: orderId } });

  await test.step('the buyer writes, and the words stay when the stars are missing', async () => {
    await buyer.goto(sale.path);
    await buyer.getByLabel('Your words').fill('<b>Exactly</b> as described.');
    await buyer.getByRole('button', { name: 'Send the review' }).click();
    await expect(reviews(buyer)).toContainText('Choose one to five stars');
    await expect(buyer.getByLabel('Your words')).toHaveValue('<b>Exactly</b> as described.');
    await expectNoViolations(buyer);
    await review(buyer, '5 stars', '<b>Exactly</b> as described.');
    await expect(reviews(buyer)).toContainText('Nobody else can read it yet.');
  });

  await test.step('the seller reads it only after writing', async () => {
    await seller.goto(sale.path);
    await expect(reviews(seller)).toContainText('The other side has reviewed you.');
    await expect(reviews(seller)).not.toContainText('as described');
    await review(seller, '4 stars', 'Came on time.');
    await expect(reviews(seller)).toContainText('<b>Exactly</b> as described.');
    await reviews(seller).getByText('Answer it').click();
    await reviews(seller).getByLabel('Your answer').fill('Thank you, enjoy it.');
    await reviews(seller).getByRole('button', { name: 'Send the answer' }).click();
    await expectToast(seller, 'Your answer stands below the review.');
    await expect(reviews(seller).getByText('Answer it')).toHaveCount(0);
  });

  await test.step('a visitor reads it on the seller’s page', async () => {
    await visitor.goto(`/laptop/${laptopId}`);
    await visitor.getByRole('link', { name: 'Sofia Seller · ★ 5.0 (1)' }).click();
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Sofia Seller');
    await expect(visitor.locator('main')).toContainText('5.0 of 5 stars from 1 review');
    await expect(reviews(visitor)).toContainText('Bruno B.');
    await expect(reviews(visitor)).toContainText('<b>Exactly</b> as described.');
    await expect(reviews(visitor)).toContainText('Thank you, enjoy it.');
    await expectNoViolations(visitor);
    await visitor.reload();
    expect(await readStructuredData(visitor)).toMatchObject([{ '@type': 'ProfilePage' }]);
    const html = await fetchHtml(request, new URL(visitor.url()).pathname);
    expect(html).toContain('&lt;b&gt;Exactly&lt;/b&gt; as described.');
    expect(html).not.toContain('@people.example');
  });

  await test.step('an admin removes it with a reason, which the buyer reads', async () => {
    await startSessionOf(admin, 'admin@coomercio.example');
    await admin.goto('/dashboard/reviews');
    await admin.getByRole('link', { name: `5 of 5 stars, ${sale.name}` }).click();
    const item = reviews(admin).getByRole('listitem').filter({ hasText: 'as described' });
    await item.getByText('Remove this review').click();
    await item.getByLabel('Reason').fill('It names a person.');
    await item.getByRole('button', { name: 'Remove the review' }).click();
    await expectToast(admin, 'The review is removed, and no longer counts.');
    await buyer.reload();
    await expect(reviews(buyer)).toContainText('An admin has removed this review: “It names a person.”');
    await visitor.reload();
    await expect(visitor.locator('main')).toContainText('No reviews yet');
  });
});
