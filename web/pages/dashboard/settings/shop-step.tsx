import type { FieldPath } from 'react-hook-form';
import { useRevalidator } from 'react-router';
import { saveShopSettings, type VersionedSettings } from '#contract/operations/settings.ts';
import type { CurrencyCode } from '#contract/platform/currencies.ts';
import { RequestForm } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { EmailInput, Field, TextInput } from '../../../ui/field.tsx';
import { CurrencySelect, TimeZoneInput } from './choices.tsx';

interface Values {
  name: string;
  tagline: string;
  currency: CurrencyCode;
  company: string;
  address: string;
  email: string;
  country: string;
  timeZone: string;
}

const fields: Readonly<Record<string, FieldPath<Values>>> = {
  name: 'name',
  tagline: 'tagline',
  currency: 'currency',
  'legal.company': 'company',
  'legal.address': 'address',
  'contact.email': 'email',
  country: 'country',
  timeZone: 'timeZone',
};

/** The settings without which no shop should open. The others stay as they are, also those that somebody else has just changed. */
export function ShopStep({ present: { version, settings } }: { present: VersionedSettings }) {
  const { revalidate } = useRevalidator();
  const { name, tagline, currency, legal, contact, country, timeZone } = settings;
  const form = useWriteForm(saveShopSettings, {
    defaultValues: {
      ...{ name, tagline, currency, timeZone, country: country ?? '' },
      ...{ company: legal.company, address: legal.address, email: contact.email },
    },
    fieldOf: (path) => fields[path.replace(/^settings\./, '')] ?? null,
    input: ({ company, address, email, country: typed, ...given }: Values) => ({
      body: {
        version,
        settings: {
          ...settings,
          ...given,
          country: typed.trim() === '' ? null : typed,
          legal: { ...legal, company, address },
          contact: { ...contact, email },
        },
      },
    }),
    done: 'The settings were saved, and apply now.',
    onSuccess: () => void revalidate(),
  });
  const { register, errors } = form;
  return (
    <RequestForm form={form} submit="Save" busy="Saving" buttonClass="self-start">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Name of the shop" error={errors.name?.message}>
          <TextInput autoComplete="off" {...register('name')} />
        </Field>
        <Field label="Tagline" error={errors.tagline?.message} hint="What the shop is, in a few words.">
          <TextInput autoComplete="off" {...register('tagline')} />
        </Field>
        <Field
          label="Currency"
          error={errors.currency?.message}
          hint="It can change until the first booking, while no laptop is listed. Stripe must settle in it."
        >
          <CurrencySelect {...register('currency')} />
        </Field>
        <Field label="Company" optional error={errors.company?.message}>
          <TextInput autoComplete="organization" {...register('company')} />
        </Field>
        <Field label="Registered address" optional error={errors.address?.message}>
          <TextInput autoComplete="off" {...register('address')} />
        </Field>
        <Field label="Email for customers" optional error={errors.email?.message}>
          <EmailInput autoComplete="off" {...register('email')} />
        </Field>
        <Field label="Country" optional error={errors.country?.message} hint="Two letters, such as PT.">
          <TextInput autoComplete="country" spellCheck={false} {...register('country')} />
        </Field>
        <Field label="Time zone" error={errors.timeZone?.message} hint="Of days, months and receipts.">
          <TimeZoneInput {...register('timeZone')} />
        </Field>
      </div>
    </RequestForm>
  );
}
