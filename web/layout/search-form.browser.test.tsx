import { useRef } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { suggestSearches } from '#contract/listings/search.ts';
import { fakeShop, mount, setOnline } from '../testing/component.tsx';
import { SearchForm } from './search-form.tsx';

function Search() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <SearchForm
      input={input}
      label="Search laptops"
      placeholder="Search laptops"
      words=""
      className=""
      inputClassName=""
    >
      <button type="submit">Search</button>
    </SearchForm>
  );
}

const box = page.getByLabelText('Search laptops');
const list = page.getByRole('listbox', { name: 'Suggestions' });
const option = (name: string | RegExp) => list.getByRole('option', { name });
const chosen = () => list.getByRole('option', { selected: true });
const laptop = {
  _id: '00000000-0000-4000-8000-000000000001',
  name: 'EliteBook 840 G8',
  image: 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg"/%3E',
  resale_price: 549.99,
};

/** Types when the suggestions are there: they are loaded with the focus. */
async function startTyping(words: string): Promise<void> {
  await box.click();
  await expect.element(box).toHaveAttribute('role', 'combobox');
  await box.fill(words);
}

/** A shop that suggests two searches and a laptop. @returns the words that it was asked for */
function suggesting() {
  const asked: (string | null)[] = [];
  fakeShop().on(suggestSearches, ({ query }) => {
    asked.push(query.get('q'));
    return {
      suggestions: [
        { text: 'EliteBook', count: 12 },
        { text: 'EliteDesk', count: 1 },
      ],
      laptops: [laptop],
    };
  });
  return asked;
}

afterEach(() => {
  vi.useRealTimers();
});

test('suggestions are a combobox: the arrows choose, Escape closes the list and then empties the field, Enter searches', async () => {
  const asked = suggesting();
  const { router } = mount(<Search />);
  await box.click();
  await expect.element(box).toHaveAttribute('role', 'combobox');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  for (const letter of 'elite') {
    await userEvent.keyboard(letter);
    expect(asked).toEqual([]);
    vi.advanceTimersByTime(149);
  }
  vi.advanceTimersByTime(1);
  vi.useRealTimers();
  await expect.element(option('EliteBook 12 laptops')).toBeVisible();
  await expect.element(option('EliteDesk 1 laptop')).toBeVisible();
  // Once, 150 ms after the last key.
  expect(asked).toEqual(['elite']);
  await expect.element(box).toHaveAttribute('aria-expanded', 'true');
  expect(box.element().getAttribute('aria-controls')).toBe(list.element().id);
  await expect.element(page.getByRole('status').getByText('3 suggestions')).toBeInTheDocument();
  expect(chosen().query()).toBeNull();

  await userEvent.keyboard('{ArrowDown}');
  await expect.element(chosen()).toMatchTextContent(/^EliteBook12/);
  expect(box.element().getAttribute('aria-activedescendant')).toBe(chosen().element().id);
  // The focus stays in the field. Up from the first one is the field, and from there the last one.
  await expect.element(box).toHaveFocus();
  await userEvent.keyboard('{ArrowUp}');
  expect(chosen().query()).toBeNull();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(chosen()).toMatchTextContent(/^EliteBook 840 G8/);

  await userEvent.keyboard('{Escape}');
  await expect.element(list).not.toBeInTheDocument();
  await expect.element(box).toHaveValue('elite');
  await expect.element(box).toHaveAttribute('aria-expanded', 'false');
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.poll(() => router.state.location.search).toBe('?q=EliteBook');
  await expect.element(list).not.toBeInTheDocument();
  await expect.element(box).toHaveValue('EliteBook');
  await userEvent.keyboard('{Escape}');
  await expect.element(box).toHaveValue('');
});

test('Tab leaves the field for the button, and closes the list', async () => {
  suggesting();
  mount(<Search />);
  await startTyping('elite');
  await expect.element(list).toBeVisible();
  await userEvent.keyboard('{Tab}');
  await expect.element(list).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Search' })).toHaveFocus();
});

test('a suggested laptop is opened by Enter, and a suggestion by a click, which keeps the focus in the field', async () => {
  suggesting();
  const { router } = mount(<Search />);
  await startTyping('elite');
  await expect.element(list).toBeVisible();
  await userEvent.keyboard('{ArrowUp}{Enter}');
  await expect.poll(() => router.state.location.pathname).toBe(`/laptop/${laptop._id}/elitebook-840-g8`);
  await box.fill('elit');
  await option('EliteDesk 1 laptop').click();
  await expect.poll(() => router.state.location.search).toBe('?q=EliteDesk');
  await expect.element(box).toHaveFocus();
});

test('without suggestions, and without a connection, the form stays a search', async () => {
  const shop = fakeShop();
  const { router } = mount(<Search />);
  await startTyping('elite');
  await expect.poll(() => shop.requests).toEqual(['GET /suggestions']);
  expect(list.query()).toBeNull();
  setOnline(false);
  await userEvent.keyboard('{Enter}');
  await expect
    .element(page.getByText('You are offline. Please try that again once you are back.'))
    .toBeVisible();
  expect(router.state.location.pathname).toBe('/');
  setOnline(true);
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => router.state.location.search).toBe('?q=elite');
});
