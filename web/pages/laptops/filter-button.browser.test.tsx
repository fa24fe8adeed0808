import { useLocation } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { byFacet } from '#contract/listings/facets.ts';
import { isScrollLocked, mount } from '../../testing/component.tsx';
import { FilterButton } from './filter-button.tsx';
import { filterGroups } from './filter-groups.ts';
import { useSearchState } from './use-search-state.ts';

const groups = filterGroups({
  ...byFacet(() => []),
  brand: [
    { value: 'HP', count: 12 },
    { value: 'Dell', count: 3 },
  ],
  graphics: [{ value: 'integrated', count: 9 }],
});

/** Where the results have no room for filters beside them. */
function Results() {
  const { search: shown } = useLocation();
  const search = useSearchState(shown);
  const { size } = search.parameters;
  return <FilterButton groups={groups} search={search} total={size === 0 ? 15 : 3} chosen={size} />;
}

const opener = page.getByRole('button', { name: /^Filters/ });
const sheet = page.getByRole('dialog', { name: 'Filters' });
const low = sheet.getByLabelText(/^From in/);

beforeEach(async () => {
  await page.viewport(390, 844);
  return () => page.viewport(1280, 800);
});

/** Opens the sheet of a page of results. */
async function openSheet() {
  const { router } = mount(<Results />, { path: '/laptops' });
  await opener.click();
  await expect.element(sheet).toBeVisible();
  return { address: () => router.state.location.pathname + router.state.location.search };
}

test('the sheet of filters applies each choice at once, ends with the number of laptops, and returns the focus', async () => {
  const { address } = await openSheet();
  const dell = sheet.getByRole('checkbox', { name: 'Dell 3 laptops' });
  await expect.element(sheet.getByRole('button', { name: 'Show 15 laptops' })).toBeVisible();
  await dell.click();
  await expect.element(dell).toBeChecked();
  // By a navigation, which must not take the focus from the sheet.
  await expect.poll(address).toBe('/laptops?brand=Dell');
  await expect.element(dell).toHaveFocus();
  await expect.element(sheet.getByRole('status').getByText('3 laptops')).toBeInTheDocument();
  await sheet.getByRole('button', { name: 'Show 3 laptops' }).click();
  await expect.element(sheet).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
  await expect.element(opener).toHaveAccessibleName('Filters 1 chosen');
});

test('the sheet closes on Escape and by its button, and the page behind does not scroll', async () => {
  await openSheet();
  await expect.poll(isScrollLocked).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(sheet).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
  await opener.click();
  await sheet.getByRole('button', { name: 'Close' }).click();
  await expect.element(sheet).not.toBeInTheDocument();
});

test('the bounds of the price are applied when the focus leaves them; what is no price is explained', async () => {
  const { address } = await openSheet();
  await low.fill('cheap');
  await userEvent.keyboard('{Enter}');
  await expect.element(low).toHaveAttribute('aria-invalid', 'true');
  await expect.element(low).toHaveAccessibleDescription(/^Type whole .*, such as 500\.$/);
  expect(address()).toBe('/laptops');
  await low.fill('0500');
  await sheet.getByRole('checkbox', { name: 'HP 12 laptops' }).click();
  await expect.poll(address).toContain('min_price=500');
  await expect.element(low).toHaveValue('500');
  await expect.element(low).not.toHaveAttribute('aria-invalid');
});

test('filters that few need start folded, and the hidden texts of the others scroll with them', async () => {
  await openSheet();
  const folded = sheet.getByRole('checkbox', { name: /Integrated/ });
  expect(folded.query()).toBeNull();
  await sheet.getByText('Graphics', { exact: true }).first().click();
  await expect.element(folded).toBeVisible();
  // Positioned in what scrolls: scrolling to one of them leaves the sheet where it is.
  for (const legend of sheet.element().querySelectorAll('legend')) {
    const scroller = legend.offsetParent;
    if (scroller !== null) expect(getComputedStyle(scroller).overflowY).toBe('auto');
  }
});
