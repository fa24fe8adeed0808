import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type * as z from 'zod/mini';
import type { readAccount } from '#contract/identity/account.ts';
import { relistLaptop } from '#contract/listings/catalogue.ts';
import { Problem } from '#contract/platform/client.ts';
import { fakeShop, mount, signIn } from '../testing/component.tsx';
import { RecentSignIn } from './recent-sign-in.tsx';
import { WriteButton } from './write-button.tsx';

const ids = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];

function Writes() {
  return (
    <RecentSignIn>
      {ids.map((_id, index) => (
        <WriteButton
          key={_id}
          endpoint={relistLaptop}
          input={() => ({ params: { _id }, body: { posted_time: 'Now' } })}
          done={`${index} is done.`}
          busy={`${index} is sent`}
        >
          {`Send ${index}`}
        </WriteButton>
      ))}
    </RecentSignIn>
  );
}

const question = page.getByRole('dialog', { name: 'Is it you?' });
const button = (name: string) => page.getByRole('button', { name });

test('two writes that want a more recent sign-in wait for one answer, and a navigation ends the question without them', async () => {
  await signIn();
  const shop = fakeShop();
  shop.on(relistLaptop, () => {
    throw new Problem({ status: 403, code: 'reauthentication_required', detail: 'Please sign in again.' });
  });
  const account = Promise.withResolvers<Response>();
  const { fetch: other } = window;
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) =>
    String(input).endsWith('/account') ? (await account.promise).clone() : other(input, init),
  );
  const { router } = mount(<Writes />, { isSignedIn: true });
  await button('Send 0').click();
  await button('Send 1').click();
  await expect.element(button('1 is sent')).toBeVisible();
  account.resolve(
    Response.json({
      email: 'bruno@people.example',
      emailVerified: true,
      sendsMail: true,
      hasPassword: true,
      totp: false,
      recoveryCodesLeft: 0,
      passkeys: [],
    } satisfies z.output<typeof readAccount.response>),
  );
  await expect.element(question).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(button('Send 0')).toBeVisible();
  await expect.element(button('Send 1')).toBeVisible();

  await button('Send 0').click();
  await expect.element(question).toBeVisible();
  await router.navigate('/elsewhere');
  await expect.element(question).not.toBeInTheDocument();
  await expect.element(button('Send 0')).toBeVisible();
});
