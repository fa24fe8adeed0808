import { FormProvider } from 'react-hook-form';
import { useRevalidator } from 'react-router';
import { saveShopSettings, type VersionedSettings } from '#contract/operations/settings.ts';
import { RequestForm } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { EmailInput } from '../../../ui/field.tsx';
import { CurrencySetting, orNull, Setting, SinceSetting, TimeZoneInput } from './setting.tsx';

const shownOf = ({
  name,
  tagline,
  since,
  currency,
  legal,
  contact,
  country,
  timeZone,
}: VersionedSettings['settings']) => ({
  ...{ name, tagline, since, currency, country, timeZone },
  legal: { company: legal.company, address: legal.address },
  contact: { email: contact.email },
});

/** The settings without which no shop should open. The others stay as they are, also those that somebody else has just changed. */
export function ShopStep({ present: { version, settings } }: { present: VersionedSettings }) {
  const { revalidate } = useRevalidator();
  const form = useWriteForm(saveShopSettings, {
    defaultValues: shownOf(settings),
    input: ({ legal, contact, ...others }: ReturnType<typeof shownOf>) => ({
      body: {
        version,
        settings: {
          ...settings,
          ...others,
          legal: { ...settings.legal, ...legal },
          contact: { ...settings.contact, ...contact },
        },
      },
    }),
    done: 'The settings were saved, and apply now.',
    onSuccess: () => void revalidate(),
  });
  return (
    <FormProvider {...form}>
      <RequestForm form={form} submit="Save" busy="Saving" buttonClass="self-start">
        <div className="grid gap-5 sm:grid-cols-2">
          <Setting name="name" label="Name of the shop" />
          <Setting name="tagline" label="Tagline" hint="What the shop is, in a few words." />
          <SinceSetting />
          <CurrencySetting hint="It can change until the first booking, while no laptop is listed. Stripe must settle in it." />
          <Setting name="legal.company" label="Company" optional autoComplete="organization" />
          <Setting name="legal.address" label="Registered address" optional />
          <Setting name="contact.email" label="Email for customers" optional as={EmailInput} />
          <Setting
            name="country"
            label="Country"
            optional
            read={orNull}
            hint="Two letters, such as PT."
            autoComplete="country"
            spellCheck={false}
          />
          <Setting
            name="timeZone"
            label="Time zone"
            as={TimeZoneInput}
            hint="Of days, months and receipts."
          />
        </div>
      </RequestForm>
    </FormProvider>
  );
}
