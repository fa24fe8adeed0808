import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { verifySeller } from '#contract/operations/user-admin.ts';
import { fakeShop, mount, signIn } from '../testing/component.tsx';
import { RowAction } from './row-action.tsx';

test('an action with a question is sent after the answer only', async () => {
  await signIn();
  const shop = fakeShop();
  shop.on(verifySeller, () => ({ acknowledged: true, modifiedCount: 1 }));
  mount(
    <RowAction
      label="Verify"
      busyLabel="Verifying"
      name="Marta"
      variant="primary"
      endpoint={verifySeller}
      input={{ params: { email: 'marta@people.example' }, query: {} }}
      question={{ title: 'Verify Marta?', message: 'Buyers see it.', yes: 'Yes, verify' }}
      done={{ title: 'Done', message: 'Marta is verified.' }}
    >
      {undefined}
    </RowAction>,
    { isSignedIn: true },
  );
  const button = page.getByRole('button', { name: 'Verify Marta' });
  await button.click();
  await page.getByRole('button', { name: 'Not yet' }).click();
  await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument();
  await button.click();
  expect(shop.requests).toEqual([]);
  await page.getByRole('button', { name: 'Yes, verify' }).click();
  await expect.element(page.getByText('Marta is verified.')).toBeVisible();
  expect(shop.requests).toEqual([expect.stringContaining('PUT /sellers/')]);
});
