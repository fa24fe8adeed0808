import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Problem } from '#contract/platform/client.ts';
import { mount } from '../testing/component.tsx';
import { Button } from '../ui/button.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { FormDialog, RequestForm, useRequestForm } from './request-form.tsx';

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

const refusal = (errors: Record<string, string>) =>
  new Problem({ status: 422, code: 'invalid_input', detail: 'Nothing was saved.', errors });

function WithVersion({ send }: { send: () => Promise<never> }) {
  const form = useRequestForm<{ name: string; version: number }>(send, {
    defaultValues: { name: 'HP', version: 1 },
  });
  return (
    <RequestForm form={form} submit="Save" busy="Saving">
      <Field label="Name" {...form.field('name')}>
        <TextInput />
      </Field>
    </RequestForm>
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

test('a refusal of a value without a control is shown under the form; one at a field only there', async () => {
  let errors: Record<string, string> = { version: 'Changed since' };
  mount(<WithVersion send={() => Promise.reject(refusal(errors))} />);
  const save = page.getByRole('button', { name: 'Save' });
  await save.click();
  await expect.element(page.getByText('Nothing was saved.')).toBeVisible();
  errors = { name: 'Too short' };
  await save.click();
  await expect.element(page.getByText('Too short')).toBeVisible();
  await expect.element(page.getByText('Nothing was saved.')).not.toBeInTheDocument();
});
