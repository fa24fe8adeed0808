import { useForm } from 'react-hook-form';
import { href } from 'react-router';
import { AuthPage } from '../../forms/auth-page.tsx';
import { fieldsOf } from '../../forms/fields-of.ts';
import { GoogleButton, SignInButton, useSignIn } from '../../forms/sign-in.tsx';
import { publicListFor, signInReason } from '../../forms/sign-in-reason.ts';
import { usePasskeyAutofill } from '../../forms/use-passkey-autofill.ts';
import { isToSell, sellerRegistration, useReturnPage } from '../../layout/return-page.ts';
import { publicMeta, siteOf } from '../../metadata/page-meta.ts';
import { Button } from '../../ui/button.tsx';
import { EmailInput, Field, FormFailure, PasswordInput } from '../../ui/field.tsx';
import { ActionLink } from '../../ui/text-link.tsx';
import { useHydrated } from '../../ui/use-hydrated.ts';
import type { Route } from './+types/page.ts';

export const meta: Route.MetaFunction = ({ matches }) =>
  publicMeta({
    title: 'Login',
    description: 'Log in to book, sell and pay for pre-owned laptops.',
    path: href('/login'),
    site: siteOf(matches),
  });

export default function LoginPage() {
  const { signIn, failure } = useSignIn();
  const returnPage = useReturnPage();
  const isSeller = isToSell(returnPage);
  usePasskeyAutofill(signIn);
  const hydrated = useHydrated();
  const form = useForm<{ email: string; password: string }>();
  const field = fieldsOf(form);
  const login = form.handleSubmit(async ({ email, password }) => {
    await signIn((actions) => actions.signIn(email.trim(), password));
  });
  return (
    <AuthPage
      title="Login Now!"
      // The server knows no router state, which survives a reload.
      reason={(hydrated ? signInReason(returnPage.from) : null) ?? 'Log in to book, pay and sell.'}
      publicList={publicListFor(hydrated ? returnPage.from : '/')}
      alternative={{
        question: 'New here?',
        name: 'Register',
        to: hydrated && isSeller ? sellerRegistration : href('/register'),
      }}
    >
      <form method="post" onSubmit={login} noValidate className="flex flex-col gap-5">
        <Field label="Email" {...field('email', { required: 'Email Address is required' })}>
          <EmailInput autoComplete="username webauthn" />
        </Field>
        <Field label="Password" {...field('password', { required: 'Password is required' })}>
          <PasswordInput autoComplete="current-password" />
        </Field>
        <Button type="submit" disabled={!hydrated} busy={form.formState.isSubmitting && 'Logging in'}>
          Login
        </Button>
        <FormFailure message={failure} />
        <p>
          <ActionLink to={href('/reset-password')} state={{ email: form.watch('email') }}>
            Forgot your password?
          </ActionLink>
        </p>
      </form>
      <GoogleButton signIn={signIn} isToSell={hydrated && isSeller} />
      <SignInButton
        signIn={signIn}
        action={(actions) => actions.signInWithPasskey()}
        variant="quiet"
        busyLabel="Waiting for your passkey"
      >
        Sign in with a passkey
      </SignInButton>
    </AuthPage>
  );
}
