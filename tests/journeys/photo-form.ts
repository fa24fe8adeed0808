import type { Page } from '@playwright/test';
import { expect } from '#tests/harness/platform/browser.ts';
import { fillLaptop, newEmail, startSession } from './actions.ts';

/** Returns the path of a demo photo. */
export const picture = (name: string) => `demo/photos/${name}.webp`;
/** Three demo photos; `fillLaptop` chooses the first. */
export const three = ['dell-latitude-7420-open', 'dell-xps-13-9310-open', 'hp-omen-16-open'].map(picture);

export const addButton = (page: Page) => page.getByRole('button', { name: 'Add Product', exact: true });

/** The chosen photos on the add form. */
export const tiles = (page: Page) =>
  page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Remove: photo/ }) });

/** Registers a new seller. */
export async function registerSeller(page: Page): Promise<void> {
  await startSession(page, { name: 'Sofia Seller', email: newEmail('sofia'), role: 'Seller' });
}

/** Fills the form for a new laptop with three photos. */
export async function fillThree(page: Page, name: string): Promise<void> {
  await fillLaptop(page, { name, brand: 'Dell' });
  await page.getByLabel('Product Photo').setInputFiles(three.slice(1));
  await expect(tiles(page)).toHaveCount(3);
}
