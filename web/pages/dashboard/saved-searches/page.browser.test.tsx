import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { byFacet } from '#contract/listings/facets.ts';
import {
  changeSavedSearch,
  deleteSavedSearch,
  listSavedSearches,
  type SavedSearch,
} from '#contract/listings/saved-searches.ts';
import { fakeShop, mount, signIn } from '../../../testing/component.tsx';
import { useKeepFocus } from '../../../ui/use-keep-focus.ts';
import SavedSearches from './page.tsx';

const saved = (name: string, at: number): SavedSearch => ({
  _id: `00000000-0000-4000-8000-00000000000${at}`,
  name,
  filters: { ...byFacet(() => []), q: name },
  frequency: 'daily',
  paused: false,
  emailVerified: true,
  savedAt: '2026-11-24T10:00:00.000Z',
  lastEmailAt: null,
});

/** The page in the dashboard, which keeps the focus. */
function InDashboard() {
  useKeepFocus();
  return <SavedSearches />;
}

const deleteButton = (name: string) => page.getByRole('button', { name: `Delete ${name}` });
const question = page.getByRole('alertdialog', { name: 'Are you sure?' });
const yes = question.getByRole('button', { name: 'Yes, delete it!' });

/** Opens the page with two saved searches. @returns the rows of the shop */
async function openPage() {
  await signIn();
  const rows = [saved('EliteBook', 1), saved('Latitude', 2)];
  const shop = fakeShop();
  shop.on(listSavedSearches, () => rows);
  shop.on(deleteSavedSearch, () => ({ acknowledged: true, deletedCount: rows.splice(0, 1).length }));
  mount(<InDashboard />, { isSignedIn: true });
  await deleteButton('EliteBook').click();
  return { shop, rows };
}

test('Delete asks first: Cancel and Escape keep the row, and return the focus to its button', async () => {
  const { shop } = await openPage();
  await expect.element(question).toMatchTextContent(/EliteBook/);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(deleteButton('EliteBook')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(question).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(deleteButton('EliteBook')).toHaveFocus();
  expect(shop.requests).toEqual(['GET /savedSearches']);
});

test('a deleted row disappears with a message, and the focus goes to the page’s heading', async () => {
  const { shop } = await openPage();
  await yes.click();
  await expect.element(page.getByText('EliteBook deleted successfully')).toBeVisible();
  await expect.element(page.getByRole('article', { name: 'EliteBook' })).not.toBeInTheDocument();
  await expect.element(page.getByRole('article', { name: 'Latitude' })).toBeVisible();
  await expect.poll(() => document.activeElement?.tagName).toBe('H1');
  expect(shop.requests.filter((request) => request.startsWith('DELETE'))).toHaveLength(1);
});

test('a row that somebody else has deleted is said to be gone, and a failure keeps it', async () => {
  const { shop, rows } = await openPage();
  shop.on(deleteSavedSearch, () => {
    rows.splice(0, 1);
    return { acknowledged: true, deletedCount: 0 };
  });
  await yes.click();
  await expect.element(page.getByText('EliteBook was deleted already.')).toBeVisible();
  shop.on(deleteSavedSearch, () => {
    throw new TypeError('fetch failed');
  });
  await deleteButton('Latitude').click();
  await yes.click();
  await expect
    .element(page.getByText('The shop cannot be reached. Please check your connection and try again.'))
    .toBeVisible();
  await expect.element(page.getByRole('article', { name: 'Latitude' })).toBeVisible();
  await expect.element(deleteButton('Latitude')).toHaveFocus();
});

test('a button says that its change is pending, keeps the focus, and Enter does not repeat it', async () => {
  const { shop, rows } = await openPage();
  await userEvent.keyboard('{Escape}');
  const { promise, resolve } = Promise.withResolvers<void>();
  shop.on(changeSavedSearch, async () => {
    await promise;
    rows[0] = { ...saved('EliteBook', 1), paused: true };
    return { acknowledged: true, modifiedCount: 1 };
  });
  await page.getByRole('button', { name: 'Pause the emails of EliteBook' }).click();
  const pending = page.getByRole('button', { name: 'Saving' });
  await expect.element(pending).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  resolve();
  await expect.element(page.getByRole('button', { name: 'Resume the emails of EliteBook' })).toHaveFocus();
  expect(shop.requests.filter((request) => request.startsWith('PUT'))).toHaveLength(1);
});
