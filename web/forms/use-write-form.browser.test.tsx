import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { refundOrder } from '#contract/sales/orders.ts';
import { fakeShop, mount, signIn } from '../testing/component.tsx';
import { Button } from '../ui/button.tsx';
import { Field, PasswordInput, TextArea, TextInput } from '../ui/field.tsx';
import { FormDialog, RequestForm } from './request-form.tsx';
import { useWriteForm } from './use-write-form.ts';

interface RefundProps {
  order?: string;
  amount?: string;
  dropsTyped?: boolean;
}

const ids = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;

function useRefundForm({ order = ids[0], amount = '10', dropsTyped = false }: RefundProps) {
  return useWriteForm(refundOrder, {
    defaultValues: { text: '', amount },
    input: (body: { text: string; amount: string }) => ({
      params: { _id: order },
      body: { from: 'shop', ...body },
    }),
    dropsTyped,
    done: 'It is refunded.',
  });
}

/** @param props.secret a field of the form that is not sent */
function Refund({ secret, ...props }: RefundProps & { secret?: 'password' | 'code' }) {
  const form = useRefundForm(props);
  return (
    <RequestForm form={form} submit="Refund" busy="Refunding">
      <Field label="Why" {...form.field('text')}>
        <TextArea />
      </Field>
      {secret !== undefined && (
        <Field label="Secret">
          {secret === 'code' ? (
            <TextInput autoComplete="one-time-code" />
          ) : (
            <PasswordInput autoComplete="current-password" />
          )}
        </Field>
      )}
    </RequestForm>
  );
}

function InDialog() {
  const form = useRefundForm({});
  return (
    <>
      <Button onClick={form.dialog.open}>Open</Button>
      <FormDialog form={form} title="Refund" description="Money back" submit="Refund" busy="Refunding">
        <Field label="Why" {...form.field('text')}>
          <TextArea />
        </Field>
      </FormDialog>
    </>
  );
}

const why = page.getByLabelText('Why');
const words = 'The lid was dented.';

/** Types into the form, and then removes the page as a reload does. */
async function typeAndLeave(props: Parameters<typeof Refund>[0] = {}) {
  const { unmount } = mount(<Refund {...props} />, { isSignedIn: true });
  await why.fill(words);
  unmount();
}

test('what was typed outlives a reload until it was sent, also in a dialog', async () => {
  await signIn();
  const shop = fakeShop();
  await typeAndLeave();
  const { unmount } = mount(<InDialog />, { isSignedIn: true });
  await page.getByRole('button', { name: 'Open' }).click();
  await expect.element(why).toHaveValue(words);
  unmount();
  shop.on(refundOrder, () => ({ acknowledged: true, insertedId: ids[0] }));
  const sent = mount(<Refund />, { isSignedIn: true });
  await expect.element(why).toHaveValue(words);
  await page.getByRole('button', { name: 'Refund' }).click();
  await expect.element(page.getByText('It is refunded.')).toBeVisible();
  sent.unmount();
  mount(<Refund />, { isSignedIn: true });
  await expect.element(why).toHaveValue('');
});

test.each<[string, RefundProps]>([
  ['another object', { order: ids[1] }],
  ['the same object after a change', { amount: '20' }],
])('a form of %s has another draft', async (_, other) => {
  await signIn();
  await typeAndLeave();
  mount(<Refund {...other} />, { isSignedIn: true });
  await expect.element(why).toHaveValue('');
});

test('the next person in the tab does not see what was typed', async () => {
  await signIn();
  await typeAndLeave();
  await signIn('carla@people.example');
  mount(<Refund />, { isSignedIn: true });
  await expect.element(why).toHaveValue('');
});

test.each<Parameters<typeof Refund>[0]>([{ secret: 'password' }, { secret: 'code' }, { dropsTyped: true }])(
  'nothing is stored of a form with a secret: %o',
  async (props) => {
    await signIn();
    await typeAndLeave(props);
    expect(Object.values({ ...localStorage, ...sessionStorage }).join()).not.toContain(words);
  },
);
