import { useId, useState } from 'react';
import { useRevalidator } from 'react-router';
import { saveShopSettings, type VersionedSettings } from '#contract/operations/settings.ts';
import { currencyCodes, currencyLabel } from '#contract/platform/currencies.ts';
import { RequestForm } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { EmailInput, Field, Select, TextInput } from '../../../ui/field.tsx';
import { type FormValues, fieldOf, toFormValues, toSettings } from './form-values.ts';

/** The settings without which no shop should open. The others stay as they are. */
export function ShopStep({ present }: { present: VersionedSettings }) {
  const { revalidate } = useRevalidator();
  const zonesId = useId();
  const [version, setVersion] = useState(present.version);
  const form = useWriteForm(saveShopSettings, {
    defaultValues: toFormValues(present.settings),
    fieldOf,
    input: (values: FormValues) => ({ body: { version, settings: toSettings(values) } }),
    done: 'The settings were saved, and apply now.',
    onSuccess: (answer) => {
      setVersion(answer.version);
      void revalidate();
    },
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
          hint="It can change until the first booking."
        >
          <Select {...register('currency')}>
            {currencyCodes.map((code) => (
              <option key={code} value={code}>
                {currencyLabel(code)}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Company" optional error={errors.company?.message}>
          <TextInput autoComplete="organization" {...register('company')} />
        </Field>
        <Field label="Registered address" optional error={errors.legalAddress?.message}>
          <TextInput autoComplete="off" {...register('legalAddress')} />
        </Field>
        <Field label="Email for customers" optional error={errors.email?.message}>
          <EmailInput autoComplete="off" {...register('email')} />
        </Field>
        <Field label="Country" optional error={errors.country?.message} hint="Two letters, such as PT.">
          <TextInput autoComplete="country" spellCheck={false} {...register('country')} />
        </Field>
        <Field label="Time zone" error={errors.timeZone?.message} hint="Of days, months and receipts.">
          <TextInput list={zonesId} autoComplete="off" spellCheck={false} {...register('timeZone')} />
        </Field>
      </div>
      <datalist id={zonesId}>
        {['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </RequestForm>
  );
}
