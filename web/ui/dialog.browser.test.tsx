import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { isScrollLocked, mount } from '../testing/component.tsx';
import { Button } from './button.tsx';
import { AlertDialog, Dialog } from './dialog.tsx';
import { Field, TextInput } from './field.tsx';

/** A page that is higher than the window, with a button that opens a dialog with two fields. */
function WithDialog() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Open</Button>
      <Button>Behind</Button>
      <div style={{ height: '300vh' }} />
      <Dialog open={isOpen} onOpenChange={setIsOpen} title="Report" description="What is wrong?">
        <Field label="Name">
          <TextInput readOnly value="Bruno" />
        </Field>
        <Field label="Note">
          <TextInput />
        </Field>
        <Button>Send</Button>
      </Dialog>
    </>
  );
}

const opener = page.getByRole('button', { name: 'Open', exact: true });
const dialog = page.getByRole('dialog', { name: 'Report' });
const note = dialog.getByLabelText('Note');
const close = dialog.getByRole('button', { name: 'Close' });

/** The names of the elements to which Tab leads, one after the other. */
async function tabThrough(stops: number, key = '{Tab}'): Promise<string[]> {
  const names: string[] = [];
  for (let stop = 0; stop < stops; stop += 1) {
    await userEvent.keyboard(key);
    const { activeElement } = document;
    names.push(activeElement?.ariaLabel ?? activeElement?.textContent ?? '');
  }
  return names;
}

test('a dialog takes the focus to its first editable field, traps it, and returns it on Escape', async () => {
  mount(<WithDialog />);
  await opener.click();
  await expect.element(note).toHaveFocus();
  await expect.element(dialog).toHaveAccessibleDescription('What is wrong?');
  const visited = await tabThrough(12);
  expect(visited).toContain('Send');
  expect(visited).toContain('Close');
  expect(visited).not.toContain('Behind');
  expect(await tabThrough(12, '{Shift>}{Tab}{/Shift}')).not.toContain('Behind');
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
});

test('a dialog closes by its button and by a click outside; meanwhile the page behind cannot be scrolled or reached', async () => {
  mount(<WithDialog />);
  for (const leave of [
    () => close.click(),
    () => userEvent.click(document.body, { position: { x: 5, y: 5 } }),
  ]) {
    await opener.click();
    await expect.element(note).toHaveFocus();
    expect(isScrollLocked()).toBe(true);
    expect(getComputedStyle(document.documentElement).overscrollBehaviorY).toBe('none');
    expect(opener.query()).toBeNull();
    await leave();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(isScrollLocked()).toBe(false);
    await expect.element(opener).toHaveFocus();
  }
});

test('the control that has the focus by keyboard has a ring, which a click does not show', async () => {
  mount(<WithDialog />);
  await opener.click();
  await tabThrough(1);
  const ring = getComputedStyle(document.activeElement ?? document.body);
  expect([ring.outlineStyle, ring.outlineWidth]).toEqual(['solid', '3px']);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
});

/** A button that opens a question, whose answer takes long. */
function Confirmation({ onConfirm }: { onConfirm: () => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Open</Button>
      <AlertDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title="Are you sure?"
        message="It cannot be undone."
        closeLabel="Cancel"
        confirm={{
          label: 'Yes, delete it!',
          busy: isBusy && 'Deleting..',
          onConfirm: () => {
            onConfirm();
            setIsBusy(true);
          },
        }}
      />
    </>
  );
}

test('a confirmation stays open after a click outside, and while its request is pending; Escape means no', async () => {
  const onConfirm = vi.fn();
  mount(<Confirmation onConfirm={onConfirm} />);
  const question = page.getByRole('alertdialog', { name: 'Are you sure?' });
  await opener.click();
  await expect.element(question.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await userEvent.click(document.body, { position: { x: 5, y: 5 } });
  await expect.element(question).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
  expect(onConfirm).not.toHaveBeenCalled();

  await opener.click();
  await question.getByRole('button', { name: 'Yes, delete it!' }).click();
  const busy = question.getByRole('button', { name: 'Deleting..' });
  // The button keeps the focus, and neither Enter nor Cancel does anything until there is a response.
  await expect.element(busy).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(question.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  expect(onConfirm).toHaveBeenCalledTimes(1);
});
