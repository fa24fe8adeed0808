import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { mount } from '../testing/component.tsx';
import { Button } from '../ui/button.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { FormDialog, useRequestForm } from './request-form.tsx';

function Rename({ name, send, dropsTyped }: { name: string; send: () => void; dropsTyped?: boolean }) {
  const form = useRequestForm(async (_values: { name: string }) => send(), {
    defaultValues: { name },
    ...(dropsTyped && { dropsTyped }),
  });
  return (
    <>
      <Button onClick={form.dialog.open}>Rename</Button>
      <FormDialog form={form} title="Name" description="A name" submit="Save" busy="Saving">
        <Field label="Name" {...form.field('name')}>
          <TextInput />
        </Field>
      </FormDialog>
    </>
  );
}

const dialog = page.getByRole('dialog', { name: 'Name' });
const field = dialog.getByLabelText('Name');
const open = () => page.getByRole('button', { name: 'Rename' }).click();

async function close() {
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
}

test('what was typed in a dialog stays while it is closed, until it was sent', async () => {
  let isFailing = true;
  mount(
    <Rename
      name="HP"
      send={() => {
        if (isFailing) throw new Error('No connection.');
      }}
    />,
  );
  await open();
  await field.fill('Dell');
  await close();
  await open();
  await expect.element(field).toHaveValue('Dell');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog.getByText('No connection.')).toBeVisible();
  await close();
  await open();
  await expect.element(field).toHaveValue('Dell');
  isFailing = false;
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await open();
  await expect.element(field).toHaveValue('HP');
});

test('a dialog that asks for a password drops it when it is closed', async () => {
  mount(<Rename name="" send={() => undefined} dropsTyped />);
  await open();
  await field.fill('secret');
  await close();
  await open();
  await expect.element(field).toHaveValue('');
});
