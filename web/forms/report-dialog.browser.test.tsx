import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { reportLaptop, reportReasons } from '#contract/listings/reports.ts';
import { Problem } from '#contract/platform/client.ts';
import { fakeShop, mount, signIn } from '../testing/component.tsx';
import { Button } from '../ui/button.tsx';
import { ReportDialog } from './report-dialog.tsx';

const thanks = { acknowledged: true, message: 'Thank you.' };
const laptop = { _id: '00000000-0000-4000-8000-000000000001', name: 'OptiBook' };

function WithReport() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Report</Button>
      <ReportDialog
        title="Report this item"
        description={<p>Tell the shop’s administrators what is wrong with it.</p>}
        target={{
          name: laptop.name,
          reasons: reportReasons,
          noteHint: 'What you saw, and where. The seller is not told who you are.',
          endpoint: reportLaptop,
          input: ({ reason, note }) => ({ body: { productCode: laptop._id, reason, note } }),
        }}
        open={isOpen}
        onClose={() => setIsOpen(false)}
      />
    </>
  );
}

const dialog = page.getByRole('dialog', { name: 'Report this item' });
const reason = dialog.getByLabelText('Reason');
const note = dialog.getByLabelText('Note (optional)');
const send = dialog.getByRole('button', { name: 'Send report' });
const open = () => page.getByRole('button', { name: 'Report', exact: true }).click();

async function mountReport() {
  await signIn();
  const shop = fakeShop();
  const mounted = mount(<WithReport />, { isSignedIn: true });
  await open();
  return { shop, ...mounted };
}

test('a missing value is named at its field, which gets the focus; a valid one takes the sentence away', async () => {
  const { shop } = await mountReport();
  shop.on(reportLaptop, () => thanks);
  await expect
    .element(note)
    .toHaveAccessibleDescription('What you saw, and where. The seller is not told who you are.');
  await note.fill('The photo shows another laptop.');
  await send.click();
  await expect.element(reason).toHaveFocus();
  await expect.element(reason).toHaveAttribute('aria-invalid', 'true');
  await expect.element(reason).toHaveAccessibleDescription('Choose a reason');
  await expect.element(dialog.getByRole('alert').getByText('Choose a reason')).toBeVisible();
  expect(shop.requests).toEqual([]);
  await reason.selectOptions('Not as described');
  await send.click();
  await expect.element(page.getByText('Thank you.')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'Report', exact: true })).toHaveFocus();
  expect(shop.requests).toEqual(['POST /reports']);
});

test('what the shop refuses is said at the field that it names, which gets the focus, and another failure under the form', async () => {
  const { shop } = await mountReport();
  shop.on(reportLaptop, () => {
    throw new Problem({
      status: 422,
      code: 'invalid_input',
      detail: 'Something is missing.',
      errors: { note: 'Say what you saw' },
    });
  });
  await reason.selectOptions('Other');
  await send.click();
  await expect.element(note).toHaveFocus();
  await expect
    .element(note)
    .toHaveAccessibleDescription(
      'Say what you saw What you saw, and where. The seller is not told who you are.',
    );
  await expect.element(reason).not.toHaveAttribute('aria-invalid');
  shop.on(reportLaptop, () => {
    throw new TypeError('fetch failed');
  });
  await send.click();
  await expect.element(dialog.getByRole('alert').getByText(/cannot be reached.* still here/)).toBeVisible();
  await expect.element(send).toHaveFocus();
});

test('what was typed outlives a failure, Escape and a reload, and is gone once it was sent', async () => {
  const { shop, unmount } = await mountReport();
  await reason.selectOptions('Other');
  await note.fill('The photo shows another laptop.');
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  unmount();
  mount(<WithReport />, { isSignedIn: true });
  await open();
  await expect.element(note).toHaveValue('The photo shows another laptop.');
  await expect.element(reason).toHaveValue('Other');
  shop.on(reportLaptop, () => thanks);
  await send.click();
  await expect.element(dialog).not.toBeInTheDocument();
  await open();
  await expect.element(note).toHaveValue('');
});

test('while a request is pending the button says so, keeps the focus, and Enter does not send again', async () => {
  const { shop } = await mountReport();
  const { promise, resolve } = Promise.withResolvers<void>();
  shop.on(reportLaptop, async () => {
    await promise;
    return thanks;
  });
  await reason.selectOptions('Other');
  send.element().focus();
  await userEvent.keyboard('{Enter}');
  const busy = dialog.getByRole('button', { name: 'Sending' });
  await expect.element(busy).toHaveFocus();
  await expect.element(busy).toHaveAttribute('aria-disabled', 'true');
  await userEvent.keyboard('{Enter}');
  resolve();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(shop.requests).toEqual(['POST /reports']);
});

test('a response that arrives after the dialog was closed is a message, which says when nothing was sent', async () => {
  const { shop } = await mountReport();
  async function sendAndClose(reply: () => typeof thanks) {
    const { promise, resolve } = Promise.withResolvers<void>();
    shop.on(reportLaptop, async () => {
      await promise;
      return reply();
    });
    await reason.selectOptions('Other');
    await send.click();
    await expect.element(dialog.getByRole('button', { name: 'Sending' })).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    resolve();
  }
  await sendAndClose(() => thanks);
  await expect.element(page.getByText('Thank you.')).toBeVisible();
  await open();
  await sendAndClose(() => {
    throw new TypeError('fetch failed');
  });
  await expect
    .element(page.getByText(/^Your report of OptiBook was not sent: The shop cannot/))
    .toBeVisible();
  await open();
  await expect.element(reason).toHaveValue('Other');
});
