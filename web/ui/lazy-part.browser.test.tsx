import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { mount } from '../testing/component.tsx';
import { Button } from './button.tsx';
import { lazyPart } from './lazy-part.tsx';

const load = vi.fn(async () => () => <p>The part</p>);
const Part = lazyPart(load);

function Page() {
  const [renders, setRenders] = useState(0);
  return (
    <>
      <Button onClick={() => setRenders(renders + 1)}>Render {renders}</Button>
      <Part />
    </>
  );
}

test('a failed load is tried again when the part is rendered again, and a loaded part is not loaded again', async () => {
  load.mockRejectedValueOnce(new Error('offline'));
  mount(<Page />);
  await page.getByRole('button', { name: 'Render 0' }).click();
  await expect.element(page.getByText('The part')).toBeVisible();
  await page.getByRole('button', { name: 'Render 1' }).click();
  await expect.element(page.getByRole('button', { name: 'Render 2' })).toBeVisible();
  expect(load).toHaveBeenCalledTimes(2);
});
