import { useForm } from 'react-hook-form';
import { href, useSearchParams } from 'react-router';
import { nameRefusal } from '#contract/people/name-rules.ts';
import { TermsNote } from '../../content/terms-note.tsx';
import { AuthPage } from '../../forms/auth-page.tsx';
import { fieldsOf } from '../../forms/fields-of.ts';
import { newPasswordHint, newPasswordRules } from '../../forms/new-password-rules.ts';
import { GoogleButton, useSignIn } from '../../forms/sign-in.tsx';
import { useReturnPage } from '../../layout/return-page.ts';
import { publicMeta, siteOf } from '../../metadata/page-meta.ts';
import { SellerTerms } from '../../money/seller-terms.tsx';
import { useShop } from '../../session/session.tsx';
import type { Registration } from '../../session/session-actions.ts';
import { Button } from '../../ui/button.tsx';
import { EmailInput, Field, FormFailure, PasswordInput, Select, TextInput } from '../../ui/field.tsx';
import { useHydrated } from '../../ui/use-hydrated.ts';
import type { Route } from './+types/page.ts';

export const meta: Route.MetaFunction = ({ matches }) =>
  publicMeta({
    title: 'Register',
    description: 'Register as a buyer or as a seller of pre-owned laptops.',
    path: href('/register'),
    site: siteOf(matches),
  });

export default function RegisterPage() {
  const { signIn, failure } = useSignIn();
  const hydrated = useHydrated();
  const shop = useShop();
  const [parameters] = useSearchParams();
  const form = useForm<Registration>();
  const field = fieldsOf(form);
  const isOwner = useReturnPage().from.startsWith(href('/dashboard/claim'));
  const firstRole = parameters.get('as') === 'seller' ? 'Seller' : 'Buyer';
  // Undefined before the field is registered.
  const isSeller = (form.watch('role') ?? firstRole) === 'Seller';
  const create = form.handleSubmit(async ({ name, email, password, role }) => {
    await signIn((actions) => actions.register({ name: name.trim(), email: email.trim(), password, role }));
  });
  return (
    <AuthPage
      title="Register Now!"
      // The server knows no router state.
      {...(hydrated && isOwner && { reason: 'Register to become the owner of this shop.' })}
      alternative={{ question: 'Registered already?', name: 'Login', to: href('/login') }}
    >
      <form method="post" onSubmit={create} noValidate className="flex flex-col gap-5">
        <Field
          label="Name"
          {...field('name', {
            required: 'Name is required',
            validate: (name) =>
              name.trim() === '' ? 'Name is required' : (nameRefusal(name.trim(), shop.name) ?? true),
            maxLength: { value: 100, message: 'At most 100 characters, please' },
          })}
        >
          <TextInput autoComplete="name" />
        </Field>
        <Field label="Email" {...field('email', { required: 'Email Address is required' })}>
          <EmailInput />
        </Field>
        <Field label="Password" {...field('password', newPasswordRules)} hint={newPasswordHint}>
          <PasswordInput autoComplete="new-password" />
        </Field>
        <Field label="Register As" hint={isSeller ? <SellerTerms /> : undefined}>
          <Select defaultValue={firstRole} {...form.register('role')}>
            <option value="Buyer">Buyer</option>
            <option value="Seller">Seller</option>
          </Select>
        </Field>
        <TermsNote by="registering" />
        <Button type="submit" disabled={!hydrated} busy={form.formState.isSubmitting && 'Registering'}>
          Register
        </Button>
        <FormFailure message={failure} />
      </form>
      <GoogleButton signIn={signIn} isToSell={isSeller} />
    </AuthPage>
  );
}
