import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { readShopSettings } from '#contract/operations/settings.ts';
import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { fakeShop, mount, signIn } from '../../../testing/component.tsx';
import FirstStepsPage from './first-steps.tsx';

const step = page.getByRole('listitem', { name: 'Your shop' });
const missingCountry = step.getByText(/has no country yet.*parcels stay within United States/);

/** Opens the page of a shop that lacks nothing else. */
async function openPage(country: string | null): Promise<void> {
  await signIn();
  fakeShop().on(readShopSettings, () => ({
    version: 1,
    settings: { ...defaultShopSettings, country },
    missing: [],
  }));
  mount(<FirstStepsPage />, { isSignedIn: true });
}

test('a shop without a country is not done, and reads where its parcels are sent', async () => {
  await openPage(null);
  await expect.element(step.getByText('To do')).toBeVisible();
  await expect.element(missingCountry).toBeVisible();
});

test('a shop with a country is done', async () => {
  await openPage('AT');
  await expect.element(step.getByText('Done')).toBeVisible();
  await expect.element(missingCountry).not.toBeInTheDocument();
});
