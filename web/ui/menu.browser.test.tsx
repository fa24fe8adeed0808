import { useRef } from 'react';
import { expect, test, vi } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { mount } from '../testing/component.tsx';
import { Menu } from './menu.tsx';

function WithMenu({ onChoose }: { onChoose: (item: string) => void }) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Menu
      label="More actions"
      buttonRef={button}
      items={[
        { text: 'Verify', label: 'Verify Marta', to: '/verify' },
        { text: 'Block', label: 'Block Marta', onClick: () => onChoose('block') },
        { text: 'Delete', label: 'Delete Marta', isDangerous: true, onClick: () => onChoose('delete') },
      ]}
    />
  );
}

test('a menu opens with the arrow keys and Enter, at its first or last item, and returns the focus', async () => {
  const choose = vi.fn();
  const { router } = mount(<WithMenu onChoose={choose} />);
  const button = page.getByRole('button', { name: 'More actions' });
  const items = page.getByRole('menuitem');
  await expect.element(button).toBeVisible();
  for (const [key, name] of [
    ['ArrowDown', 'Verify Marta'],
    ['ArrowUp', 'Delete Marta'],
    ['Enter', 'Verify Marta'],
  ] as const) {
    button.element().focus();
    await userEvent.keyboard(`{${key}}`);
    await expect.element(page.getByRole('menuitem', { name })).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(items).not.toBeInTheDocument();
    await expect.element(button).toHaveFocus();
  }
  await button.click();
  await expect.element(page.getByRole('menu')).toHaveFocus();
  await button.click();
  await expect.element(items).not.toBeInTheDocument();

  // The focus moves in the next frame, and keys go to what has it.
  const press = async (key: string, focused: Locator) => {
    await userEvent.keyboard(key);
    await expect.element(focused).toHaveFocus();
  };
  await expect.element(button).toHaveFocus();
  await press('{ArrowDown}', items.first());
  await press('{ArrowDown}', items.nth(1));
  await press('{Enter}', button);
  expect(choose.mock.calls).toEqual([['block']]);
  await press('{ArrowDown}', items.first());
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => router.state.location.pathname).toBe('/verify');
});
