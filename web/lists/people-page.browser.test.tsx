import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { listBuyers } from '#contract/operations/user-admin.ts';
import AllBuyers from '../pages/dashboard/all-buyers/page.tsx';
import { fakeShop, mount, signIn } from '../testing/component.tsx';

const field = page.getByRole('searchbox', { name: 'Search by name or email' });

/** Opens the list of buyers of a shop that has none. @returns the router, and the searches that the shop answered */
async function openPage(path = '/dashboard/allBuyers') {
  await signIn();
  const searches: (string | null)[] = [];
  fakeShop().on(listBuyers, ({ query }) => {
    searches.push(query.get('search'));
    return [];
  });
  const { router } = mount(<AllBuyers />, { path, isSignedIn: true });
  await expect.element(field).toBeVisible();
  return { router, searches };
}

test('typing searches after a pause, Enter at once, and the same words never again', async () => {
  const { router, searches } = await openPage();
  const navigations: string[] = [];
  router.subscribe(({ location, navigation }) => {
    if (navigation.state === 'idle') navigations.push(location.search);
  });
  await userEvent.fill(field, 'jonas');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByText('Nobody matches “jonas”')).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await userEvent.fill(field, 'jona');
  await expect.element(page.getByText('Nobody matches “jona”')).toBeVisible();
  expect(navigations).toEqual(['?search=jonas&sort=newest', '?search=jona&sort=newest']);
  expect(searches).toEqual([null, 'jonas', 'jona']);
});

test('going back brings the words back into the field, also while it has the focus', async () => {
  const { router } = await openPage('/dashboard/allBuyers?search=anna');
  await router.navigate('/dashboard/allBuyers');
  await expect.element(field).toHaveValue('');
  await field.click();
  await router.navigate(-1);
  await expect.element(field).toHaveValue('anna');
  await page.getByRole('link', { name: 'Show everybody' }).click();
  await expect.element(field).toHaveValue('');
});
