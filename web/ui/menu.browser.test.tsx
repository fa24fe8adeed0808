import { useRef } from 'react';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
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

  // A closed menu returns the focus in the next frame, and keys go to what has it.
  await expect.element(button).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  await expect.element(items).not.toBeInTheDocument();
  expect(choose.mock.calls).toEqual([['block']]);
  await expect.element(button).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.poll(() => router.state.location.pathname).toBe('/verify');
});
