import type { Page } from '@playwright/test';
import { confirmOrder } from '#contract/sales/orders.ts';
import { writeReview } from '#contract/sales/reviews.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import {
  expectNoOverflowAtAnyWidth,
  expectToast,
  newEmail,
  startSession,
  startSessionOf,
} from './actions.ts';
import { expectNoViolations } from './axe.ts';
import { fetchHtml } from './public-pages.ts';
import { createSale } from './sale.ts';

const reviews = (page: Page) => page.getByRole('region', { name: 'Reviews', exact: true });

/** Fills the form for a review and sends it. */
async function review(page: Page, stars: string, words: string) {
  const form = page.getByRole('form', { name: 'Your review' });
  await form.getByRole('radio', { name: stars }).check();
  await form.getByLabel('Your words').fill(words);
  await form.getByRole('button', { name: 'Send the review' }).click();
  await expectToast(page, 'Thank you. Your review is stored.');
}

test('both sides review each other, the seller answers, and everybody reads it', async ({
  page: buyer,
  openVisitor,
  request,
}) => {
  test.slow();
  const [seller, visitor] = [await openVisitor(), await openVisitor()];
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
    await visitor.getByRole('link', { name: 'Sofia Seller · 5.0/5 (1)' }).click();
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Sofia Seller');
    await expect(visitor.locator('main')).toContainText('5.0 of 5 stars from 1 review');
    await expect(reviews(visitor)).toContainText('Bruno B.');
    await expect(reviews(visitor)).toContainText('<b>Exactly</b> as described.');
    await expect(reviews(visitor)).toContainText('Thank you, enjoy it.');
    await expectNoViolations(visitor);
    await expectNoOverflowAtAnyWidth(visitor);
    const html = await fetchHtml(request, new URL(visitor.url()).pathname);
    expect(html).toContain('&lt;b&gt;Exactly&lt;/b&gt; as described.');
    expect(html).not.toContain('@people.example');
  });
});

test('a review is reported by its seller and a visitor, and an admin removes it', {
  tag: '@long',
}, async ({ page: buyer, openVisitor }) => {
  test.slow();
  const [seller, visitor, admin] = [await openVisitor(), await openVisitor(), await openVisitor()];
  const sale = await createSale(seller, buyer);
  const params = { _id: sale.orderId };
  await sale.buyerSession.client.call(confirmOrder, { params });
  const body = { stars: 5, text: 'Exactly as described.' };
  await sale.buyerSession.client.call(writeReview, { params, body });
  await sale.sellerSession.client.call(writeReview, { params, body: { ...body, stars: 4 } });
  await Promise.all([
    buyer.goto(sale.path),
    seller.goto(sale.path),
    visitor.goto(`/laptop/${sale.laptopId}`),
  ]);
  await visitor.getByRole('link', { name: 'Sofia Seller · 5.0/5 (1)' }).click();
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Sofia Seller');
  const sellerPath = new URL(visitor.url()).pathname;

  await test.step('the seller reports it from the order, and a visitor from the seller’s page after the login', async () => {
    await reviews(seller).getByRole('button', { name: 'Report this review' }).click();
    const report = seller.getByRole('dialog', { name: 'Report this review' });
    await report.getByRole('button', { name: 'Send report' }).click();
    await expect(report).toContainText('Choose a reason');
    await report.getByLabel('Reason').selectOption('Private data');
    await report.getByLabel('Note').fill('My street is in it.');
    await report.getByRole('button', { name: 'Send report' }).click();
    await expectToast(seller, 'Thank you. An admin will look at this review.');
    await expect(reviews(seller).getByRole('button', { name: 'Report this review' })).toBeFocused();

    await visitor.getByRole('link', { name: 'Report the review by Bruno B.' }).click();
    await expect(visitor).toHaveURL(/\/login$/);
    await expect(visitor.locator('main')).toContainText('Log in to report this review.');
    await startSession(visitor, { name: 'Rita Reader', email: newEmail('rita'), role: 'Buyer' });
    await visitor.goto(sellerPath);
    const link = visitor.getByRole('link', { name: 'Report the review by Bruno B.' });
    await link.click();
    const dialog = visitor.getByRole('dialog', { name: 'Report this review' });
    await dialog.getByLabel('Reason').selectOption('Insulting');
    await visitor.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(link).toBeFocused();
    await link.click();
    await expect(dialog.getByLabel('Reason')).toHaveValue('Insulting');
    await dialog.getByRole('button', { name: 'Send report' }).click();
    await expectToast(visitor, 'Thank you. An admin will look at this review.');
    await link.click();
    await dialog.getByLabel('Reason').selectOption('Other');
    await dialog.getByRole('button', { name: 'Send report' }).click();
    await expect(visitor.getByText('You already reported this review.')).toBeVisible();
  });

  const item = admin.getByRole('article', { name: `5 of 5 stars, ${sale.name}` });
  await test.step('an admin finds it first, and dismisses the reports', async () => {
    await startSessionOf(admin, 'admin@coomercio.example');
    await admin.goto('/dashboard/reviews');
    await expect(admin.getByRole('article').first()).toHaveAccessibleName(`5 of 5 stars, ${sale.name}`);
    await expect(item).toContainText('2 open reports');
    await expect(item).toContainText('My street is in it.');
    await item.getByRole('button', { name: 'Dismiss the reports' }).click();
    await admin.getByRole('button', { name: 'Dismiss the reports', exact: true }).click();
    await expectToast(admin, 'The reports are dismissed.');
    await expect(item).not.toContainText('open report');
    await visitor.goto('/dashboard/notifications');
    await expect(visitor.locator('main')).toContainText('Your report of a review');
  });

  await test.step('an admin finds it from its order, and removes it with a reason, which the buyer reads', async () => {
    await item.getByRole('link', { name: `5 of 5 stars, ${sale.name}` }).click();
    await admin.getByRole('link', { name: 'Reviews of this sale' }).click();
    await expect(admin.getByRole('link', { name: 'Show the reviews of all sales' })).toBeVisible();
    await expect(admin.getByRole('article')).toHaveCount(2);
    await item.getByRole('button', { name: 'Remove the review' }).click();
    const dialog = admin.getByRole('dialog', { name: 'Remove the review?' });
    await dialog.getByRole('button', { name: 'Remove the review' }).click();
    await expect(dialog).toContainText('Say why, so that the author understands');
    await dialog.getByLabel('Reason').fill('It names a person.');
    await dialog.getByRole('button', { name: 'Remove the review' }).click();
    await expectToast(admin, 'The review is removed, and no longer counts.');
    await expect(item.getByRole('link', { name: `5 of 5 stars, ${sale.name}` })).toBeFocused();
    await buyer.reload();
    await expect(reviews(buyer)).toContainText('An admin has removed this review: “It names a person.”');
    await visitor.goto(sellerPath);
    await expect(visitor.locator('main')).toContainText('No rating yet');
  });
});
