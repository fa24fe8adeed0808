import { type ReactNode, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { mount } from '../testing/component.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { toast } from './toast.tsx';

/** Renders the page, with the pointer where no message appears. */
async function mountPage(component?: ReactNode): Promise<void> {
  mount(component);
  await userEvent.hover(document.body, { position: { x: 5, y: 700 } });
}

const region = page.getByRole('region', { name: 'Messages' });
const dismiss = region.getByRole('button', { name: 'Dismiss this message' });

/** Only the clock of the page: the test itself goes on. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a success stays for 2000 ms and an error for 4000 ms', async () => {
  await mountPage();
  toast.error('The shop cannot be reached.');
  toast.success('Saved.');
  await expect.element(region.getByText('Saved.')).toBeVisible();
  vi.advanceTimersByTime(1_999);
  await expect.element(region.getByText('Saved.')).toBeVisible();
  vi.advanceTimersByTime(1);
  await expect.element(region.getByText('Saved.')).not.toBeInTheDocument();
  vi.advanceTimersByTime(1_999);
  await expect.element(region.getByText('The shop cannot be reached.')).toBeVisible();
  vi.advanceTimersByTime(1);
  await expect.element(region.getByText('The shop cannot be reached.')).not.toBeInTheDocument();
});

test('the time of messages does not run while one is focused or under the pointer, and begins anew afterwards', async () => {
  await mountPage(<Button>Of the page</Button>);
  toast.success('Saved.');
  const message = region.getByText('Saved.');
  await message.hover();
  vi.advanceTimersByTime(10_000);
  await expect.element(message).toBeVisible();
  const before = page.getByRole('button', { name: 'Of the page' });
  await before.hover();
  vi.advanceTimersByTime(1_000);
  dismiss.element().focus();
  await expect.element(dismiss).toHaveFocus();
  vi.advanceTimersByTime(10_000);
  await expect.element(message).toBeVisible();
  before.element().focus();
  await expect.element(before).toHaveFocus();
  vi.advanceTimersByTime(2_000);
  await expect.element(message).not.toBeInTheDocument();
});

test('a message that is dismissed by keyboard gives the focus to the next one, and the last one to where it was', async () => {
  await mountPage(<Button>Of the page</Button>);
  const before = page.getByRole('button', { name: 'Of the page' });
  await before.click();
  for (const text of ['One.', 'Two.']) toast.error(text);
  await expect.element(dismiss.nth(1)).toBeVisible();
  await userEvent.keyboard('{Tab}{Enter}');
  await expect.element(region.getByText('Two.')).not.toBeInTheDocument();
  await expect.element(dismiss).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(before).toHaveFocus();
  // The time of later ones runs although the focused one was removed.
  toast.success('Three.');
  await expect.element(region.getByText('Three.')).toBeVisible();
  vi.advanceTimersByTime(2_000);
  await expect.element(region.getByText('Three.')).not.toBeInTheDocument();
});

test('of more than 20 messages the oldest goes although it has the focus, and the time of the others goes on', async () => {
  await mountPage();
  toast.error('The oldest.');
  await expect.element(dismiss).toBeVisible();
  dismiss.element().focus();
  await expect.element(dismiss).toHaveFocus();
  for (let count = 1; count <= 20; count += 1) toast.success(`Number ${count}.`);
  await expect.element(region.getByText('The oldest.')).not.toBeInTheDocument();
  await expect.element(region.getByText('Number 1.')).toBeVisible();
  vi.advanceTimersByTime(2_000);
  await expect.element(region.getByText('Number 1.')).not.toBeInTheDocument();
});

/** An open dialog with a button that opens a popover over all of the window. */
function WithDialog() {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <Dialog open={isOpen} onOpenChange={setIsOpen} title="Filters">
      <Button popoverTarget="menu">Menu</Button>
      <p id="menu" popover="auto" style={{ position: 'fixed', inset: 0, width: '100%', height: '100%' }}>
        The menu
      </p>
    </Dialog>
  );
}

test('a message lies above an open dialog and a popover that opens later, in a live region that was there before', async () => {
  await mountPage(<WithDialog />);
  await expect.element(page.getByRole('dialog')).toBeVisible();
  const regions = [...region.element().querySelectorAll('[aria-live]')];
  expect(regions.map((element) => element.ariaLive)).toEqual(['assertive', 'polite']);
  toast.error('That page takes too long.');
  const message = region.getByText('That page takes too long.');
  await expect.element(message).toBeVisible();
  expect(regions[0]?.contains(message.element())).toBe(true);
  const isOnTop = () => {
    const { left, top, width, height } = message.element().getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2) === message.element();
  };
  await expect.poll(isOnTop).toBe(true);
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect.element(page.getByText('The menu')).toBeVisible();
  await expect.poll(isOnTop).toBe(true);
  // Neither closes the dialog.
  await dismiss.click();
  await expect.element(message).not.toBeInTheDocument();
  await expect.element(page.getByRole('dialog')).toBeVisible();
});
