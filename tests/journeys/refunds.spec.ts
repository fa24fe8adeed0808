import { handOver, readOrder } from '#contract/sales/orders.ts';
import { expect, test } from '#tests/harness/platform/browser.ts';
import { password, startSessionOf } from './actions.ts';
import { shown, typed } from './amounts.ts';
import { expectNoViolations } from './axe.ts';
import { createSale } from './sale.ts';

test.use({ expectedConsoleErrors: /status of 403/ });

test('an admin refunds a part after the hand-over, and all three see where the money is', {
  tag: '@long',
}, async ({ page: buyer, openVisitor }) => {
  const [seller, admin] = [await openVisitor(), await openVisitor()];
  const sale = await createSale(seller, buyer);
  const params = { _id: sale.orderId };
  const { handoverCode: code = '' } = await sale.buyerSession.client.call(readOrder, { params });
  await sale.sellerSession.client.call(handOver, { params, body: { code } });

  await startSessionOf(admin, 'admin@coomercio.example');
  await admin.goto(sale.path);
  const form = admin.getByRole('region', { name: 'Refund', exact: true });
  await expect(form).toContainText(`${shown(549.99)} is left of the price`);
  await form.getByText('Refund a part or the rest').click();
  await form.getByRole('radio', { name: 'At the seller’s cost' }).check();
  await form.getByLabel('Amount', { exact: true }).fill(typed(550));
  await form.getByLabel('Why').fill('The battery is worn out.');
  await form.getByRole('button', { name: 'Refund', exact: true }).click();
  await expect(form).toContainText(`${shown(549.99)} is left of the price`);
  await form.getByLabel('Amount', { exact: true }).fill(typed(49.99));
  await expectNoViolations(admin);
  await form.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = admin.getByRole('alertdialog');
  await expect(dialog).toContainText(shown(49.99));
  // What the shop answers ten minutes after a sign-in.
  await admin.route(
    '**/api/orders/*/refunds',
    (route) =>
      route.fulfill({
        status: 403,
        contentType: 'application/problem+json',
        json: { title: 'Again', status: 403, detail: 'Is it you?', code: 'reauthentication_required' },
      }),
    { times: 1 },
  );
  await dialog.getByRole('button', { name: 'Yes, refund it' }).click();
  const proof = admin.getByRole('dialog', { name: 'Is it you?' }).getByLabel('Your Password');
  await proof.fill(password);
  await proof.press('Enter');
  await expect(form).toContainText(`${shown(500)} is left of the price`);

  for (const visitor of [admin, seller, buyer]) {
    if (visitor !== admin) await visitor.goto(sale.path);
    const refunds = visitor.getByRole('region', { name: 'Money that goes back' });
    await expect(refunds).toContainText(shown(49.99));
    await expect(refunds).toContainText('The battery is worn out.');
  }
  await expect(buyer.getByRole('region', { name: 'Refund', exact: true })).toHaveCount(0);

  await admin.goto('/dashboard/complaints');
  await expect(admin.getByRole('region', { name: 'Refunds that wait' })).toBeVisible();
});
