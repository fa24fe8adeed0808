import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { mount } from '../testing/component.tsx';
import { Button } from './button.tsx';
import { useKeepFocus } from './use-keep-focus.ts';

const add = page.getByRole('button', { name: 'Add' });

/** A list of two rows whose buttons remove them, in a section with a heading. */
function Rows({ movesFocus = false }: { movesFocus?: boolean }) {
  useKeepFocus();
  const [rows, setRows] = useState(['HP', 'Dell']);
  return (
    <section>
      <h2>Brands</h2>
      <Button>Add</Button>
      {rows.map((row) => (
        <Button
          key={row}
          onClick={() => {
            setRows(rows.filter((other) => other !== row));
            // As a closing dialog does.
            if (movesFocus) requestAnimationFrame(() => add.element().focus());
          }}
        >
          Remove {row}
        </Button>
      ))}
    </section>
  );
}

test('the focus of a removed row goes to the heading of its part of the page, from where Tab goes on', async () => {
  mount(<Rows />);
  const heading = page.getByRole('heading', { name: 'Brands' });
  await page.getByRole('button', { name: 'Remove HP' }).click();
  await expect.element(heading).toHaveFocus();
  // A heading is no control.
  expect(getComputedStyle(heading.element()).outlineStyle).toBe('none');
  await userEvent.keyboard('{Tab}');
  await expect.element(add).toHaveFocus();
  await userEvent.keyboard('{Tab}{Enter}');
  await expect.element(heading).toHaveFocus();
});

/** A long form in a section, which a click replaces by a sentence, above a long part of the page. */
function LongForm() {
  useKeepFocus();
  const [isDone, setIsDone] = useState(false);
  return (
    <>
      <section>
        <h2>Label</h2>
        {isDone ? (
          <p>It is bought.</p>
        ) : (
          <div style={{ height: '300vh', display: 'flex', alignItems: 'end' }}>
            <Button onClick={() => setIsDone(true)}>Buy</Button>
          </div>
        )}
      </section>
      <div style={{ height: '500vh' }} />
    </>
  );
}

test('a part that became so short that it is out of view is scrolled to after a click', async () => {
  mount(<LongForm />);
  await page.getByRole('button', { name: 'Buy' }).click();
  const heading = page.getByRole('heading', { name: 'Label' });
  await expect.element(heading).toHaveFocus();
  await expect.element(heading).toBeInViewport();
});

test('a component that moves the focus itself is left alone', async () => {
  mount(<Rows movesFocus />);
  await page.getByRole('button', { name: 'Remove HP' }).click();
  await expect.element(page.getByRole('button', { name: 'Remove HP' })).not.toBeInTheDocument();
  // Longer than the hook waits for others.
  for (let frame = 0; frame < 4; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  await expect.element(add).toHaveFocus();
});
