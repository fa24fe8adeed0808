import { type ReactNode, useEffect, useId, useState } from 'react';
import { useRevalidator } from 'react-router';
import { saveShopSettings, type VersionedSettings } from '#contract/operations/settings.ts';
import { currencyOf } from '#contract/platform/currencies.ts';
import { deadlineBounds } from '#contract/platform/deadlines.ts';
import {
  type SecondFactorGroup,
  secondFactorGroups,
  shopPictureKinds,
} from '#contract/platform/shop-settings.ts';
import { createDraft } from '../../../forms/draft.ts';
import { RequestForm } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { useRoles } from '../../../session/roles.ts';
import { usePerson } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/choice.tsx';
import { AmountInput, EmailInput, Field, Select, TextArea, TextInput } from '../../../ui/field.tsx';
import { CurrencySelect, TimeZoneInput } from './choices.tsx';
import { Colors } from './colors.tsx';
import { FormValues, fieldOf, ownColors, toFormValues, toSettings } from './form-values.ts';
import { PictureField } from './picture-field.tsx';
import { Preview } from './preview.tsx';
import { SettingsFileSection } from './settings-file.tsx';

function Section({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="card">
      <h2 id={id} className="text-xl">
        {title}
      </h2>
      {hint !== undefined && <p className="mt-1.5 max-w-prose text-muted">{hint}</p>}
      <div className="mt-4 flex flex-col gap-5">{children}</div>
    </section>
  );
}

const pictureFields = {
  logo: {
    label: 'Logo',
    hint: 'Replaces the mark and the name, on light and dark pages. PNG or WebP, wide.',
  },
  icon: { label: 'Icon', hint: 'A square for browsers and phones, at least 512 pixels wide.' },
  socialPicture: {
    label: 'Picture of shared links',
    hint: 'What others show beside a link to the shop. 1200 × 630 pixels.',
  },
} as const;

const between = ([least, most]: readonly [number, number]) => `From ${least} to ${most} days.`;

const deadlineFields = [
  { name: 'hold', label: 'Money of a meeting is released after', hint: between(deadlineBounds.hold) },
  { name: 'sending', label: 'Sellers send within', hint: between(deadlineBounds.sending) },
  {
    name: 'looking',
    label: 'Buyers can complain for',
    hint: `After the hand-over or the delivery. ${between(deadlineBounds.looking)}`,
  },
  {
    name: 'answering',
    label: 'Sellers answer a complaint within',
    hint: between(deadlineBounds.answering),
  },
  { name: 'returning', label: 'Buyers return a laptop within', hint: between(deadlineBounds.returning) },
] as const;

const groupLabels: Readonly<Record<SecondFactorGroup, string>> = {
  owners: 'Owners',
  staff: 'Other admins',
  sellers: 'Sellers',
};

const pair = 'grid gap-5 sm:grid-cols-2';

/**
 * The form of all settings. It keeps what is typed when somebody else changes the settings, and says so when it is sent.
 * @param props.present the settings as they are now
 */
export function SettingsForm({ present }: { present: VersionedSettings }) {
  const { email } = usePerson();
  const roles = useRoles();
  const isOwner = roles.status === 'known' && roles.rights?.isOwner === true;
  const { revalidate } = useRevalidator();
  /** The version that the form shows. */
  const [version, setVersion] = useState(present.version);
  /** The version that was saved here and is not shown yet: the shop may have stored other values, such as another least price. */
  const [saved, setSaved] = useState<number | null>(null);
  const [draft] = useState(() =>
    createDraft(`coomercioShopSettings:${email}:${present.version}`, FormValues),
  );
  const form = useWriteForm(saveShopSettings, {
    defaultValues: toFormValues(present.settings),
    draft,
    fieldOf,
    input: (values: FormValues) => ({ body: { version, settings: toSettings(values) } }),
    done: 'The settings were saved, and apply now.',
    onSuccess: (answer) => {
      setVersion(answer.version);
      setSaved(answer.version);
      void revalidate();
    },
  });
  const { register, errors, setValue } = form;
  const values = form.watch();
  const colors = ownColors(values.colors);
  const { sign } = currencyOf(values.currency);
  const isOutdated = present.version > version && !form.isSubmitting;

  useEffect(() => {
    if (saved === null || present.version < saved) return;
    setSaved(null);
    form.reset(toFormValues(present.settings));
  }, [saved, present, form.reset]);

  function showPresent() {
    draft.discard();
    setVersion(present.version);
    form.reset(toFormValues(present.settings));
  }

  return (
    <>
      <RequestForm form={form} submit="Save settings" busy="Saving" buttonClass="self-start">
        <Section title="Name and look">
          <div className={pair}>
            <Field label="Name" error={errors.name?.message}>
              <TextInput autoComplete="off" {...register('name')} />
            </Field>
            <Field
              label="Since"
              optional
              error={errors.since?.message}
              hint="The year in which the shop began."
            >
              <TextInput inputMode="numeric" autoComplete="off" {...register('since')} />
            </Field>
          </div>
          <Field label="Tagline" error={errors.tagline?.message} hint="What the shop is, in a few words.">
            <TextInput autoComplete="off" {...register('tagline')} />
          </Field>
          {shopPictureKinds.map((kind) => (
            <PictureField
              key={kind}
              kind={kind}
              {...pictureFields[kind]}
              picture={values[kind]}
              error={errors[kind]?.message}
              onChange={(picture) => {
                setValue(kind, picture);
                form.clearErrors(kind);
                draft.save(form.getValues());
              }}
            />
          ))}
        </Section>
        <Section
          title="Colours"
          hint="Text must be readable on what is behind it (WCAG 2.2 AA), in both themes."
        >
          <Preview {...values} colors={colors} />
          <Colors register={register} colors={colors} />
        </Section>
        <Section
          title="Contact"
          hint="Shown in the footer of every page. Leave out what the shop does not have."
        >
          <div className={pair}>
            <Field label="Email" optional error={errors.email?.message}>
              <EmailInput autoComplete="off" {...register('email')} />
            </Field>
            <Field label="Phone" optional error={errors.phone?.message}>
              <TextInput type="tel" autoComplete="off" {...register('phone')} />
            </Field>
          </div>
          <Field label="Address for visitors" optional error={errors.contactAddress?.message}>
            <TextInput autoComplete="off" {...register('contactAddress')} />
          </Field>
        </Section>
        <Section
          title="Legal identity"
          hint="Who runs the shop, in the footer, in emails and on future receipts. A shop that takes real money needs a company, its address and an email address, or must be private."
        >
          <div className={pair}>
            <Field label="Company" optional error={errors.company?.message}>
              <TextInput autoComplete="off" {...register('company')} />
            </Field>
            <Field label="Registered address" optional error={errors.legalAddress?.message}>
              <TextInput autoComplete="off" {...register('legalAddress')} />
            </Field>
            <Field label="Register number" optional error={errors.registerNumber?.message}>
              <TextInput autoComplete="off" {...register('registerNumber')} />
            </Field>
            <Field label="VAT number" optional error={errors.vatNumber?.message}>
              <TextInput autoComplete="off" {...register('vatNumber')} />
            </Field>
          </div>
          <label className="flex items-start gap-3">
            <input
              type="checkbox"
              className="mt-1 size-5 shrink-0 accent-accent"
              {...register('isPrivate')}
            />
            <span>This shop is private: it is not a business and needs no legal identity.</span>
          </label>
        </Section>
        <Section
          title="Tax"
          hint="What future receipts state. Sales are between buyers and sellers, so that only the commission is taxed by the shop."
        >
          <div className={pair}>
            <Field label="Name of the tax" error={errors.taxName?.message} hint="Such as VAT, MwSt. or IVA.">
              <TextInput autoComplete="off" {...register('taxName')} />
            </Field>
            <Field
              label="Tax in the commission, percent"
              error={errors.taxPercent?.message}
              hint="It is included in the commission. 0 states none."
            >
              <TextInput inputMode="decimal" autoComplete="off" {...register('taxPercent')} />
            </Field>
          </div>
          <Field
            label="Note on receipts of sales"
            optional
            error={errors.saleNote?.message}
            hint="Such as the scheme for second-hand goods."
          >
            <TextInput autoComplete="off" {...register('saleNote')} />
          </Field>
        </Section>
        <Section
          title="Terms of sale"
          hint="They apply to later sales. An order keeps the commission under which it was paid."
        >
          <Field
            label="Currency"
            error={errors.currency?.message}
            hint="Of all prices and payments. It can change until the first booking, while no laptop is listed. The card processor must settle in it."
          >
            <CurrencySelect {...register('currency')} />
          </Field>
          <div className={pair}>
            <Field
              label="Commission, percent of the price"
              error={errors.percent?.message}
              hint="From 0 to 50, with at most two decimals."
            >
              <TextInput inputMode="decimal" autoComplete="off" {...register('percent')} />
            </Field>
            <Field label="Commission, fixed amount" error={errors.fixed?.message}>
              <AmountInput sign={sign} understood={undefined} {...register('fixed')} />
            </Field>
            <Field
              label="Least battery health for “Excellent”, percent"
              error={errors.excellent?.message}
              hint="A listing with less does not count as measured."
            >
              <TextInput inputMode="numeric" autoComplete="off" {...register('excellent')} />
            </Field>
            <Field label="Least battery health for “Good”, percent" error={errors.good?.message}>
              <TextInput inputMode="numeric" autoComplete="off" {...register('good')} />
            </Field>
          </div>
          <Field
            label="Least price of a laptop"
            error={errors.leastPrice?.message}
            hint="Not less than a card can be charged. Laptops that are listed already keep their price."
          >
            <AmountInput sign={sign} understood={undefined} {...register('leastPrice')} />
          </Field>
          <Field
            label="When sellers are paid"
            error={errors.payoutAfter?.message}
            hint="A sale is released when the buyer has the laptop and is content. What a complaint takes back after the seller was paid is a debt of the seller. A change applies to all money that was not paid yet."
          >
            <Select {...register('payoutAfter')}>
              <option value="completed">After the time for complaints</option>
              <option value="release">At the release</option>
            </Select>
          </Field>
          <Field
            label="Bank account of the shop"
            optional
            error={errors.bankAccount?.message}
            hint="Shown to sellers who owe the shop money, such as PT50 0002 …, Shop Lda."
          >
            <TextInput autoComplete="off" spellCheck={false} {...register('bankAccount')} />
          </Field>
          <Field
            label="Time zone"
            error={errors.timeZone?.message}
            hint="Of days, months and the years of receipts. A change recalculates the days in the books."
          >
            <TimeZoneInput {...register('timeZone')} />
          </Field>
        </Section>
        <Section
          title="Deadlines of orders"
          hint="In days. A change applies to what happens to orders from then on; dates that an order has already stay."
        >
          <div className={pair}>
            {deadlineFields.map(({ name, label, hint }) => (
              <Field key={name} label={label} hint={hint} error={errors.deadlines?.[name]?.message}>
                <TextInput inputMode="numeric" autoComplete="off" {...register(`deadlines.${name}`)} />
              </Field>
            ))}
          </div>
        </Section>
        <Section title="Shipping">
          <div className={pair}>
            <Field
              label="Country of the shop"
              optional
              error={errors.country?.message}
              hint="Two letters (ISO 3166), such as PT. Phone numbers without a country code are checked as numbers of it; without one they are kept as typed."
            >
              <TextInput autoComplete="off" spellCheck={false} {...register('country')} />
            </Field>
            <Field
              label="Countries in which laptops are sent"
              optional
              error={errors.shippingCountries?.message}
              hint="Such as US, CA. Each parcel stays in its country, and the first one is what sellers start with. If none is named: the country of the shop, else US."
            >
              <TextInput autoComplete="off" spellCheck={false} {...register('shippingCountries')} />
            </Field>
          </div>
          <Field
            label="Who pays for labels"
            error={errors.shippingBorneBy?.message}
            hint="Shipping costs the buyer nothing. It applies to labels that the shop buys from now on; a label of a seller’s own is the seller’s."
          >
            <Select {...register('shippingBorneBy')}>
              <option value="seller">The seller, from the money of the sale</option>
              <option value="shop">The shop</option>
            </Select>
          </Field>
        </Section>
        <Section
          title="Codes by SMS"
          hint="Sellers confirm their phone number with a code, if the shop has a hook that sends text messages."
        >
          <Field
            label="Beginnings of numbers to which codes are sent"
            optional
            error={errors.smsPrefixes?.message}
            hint="The countries of your sellers, such as +351, +34. Messages to some numbers are expensive, so a shop with a hook sends no code before they are named."
          >
            <TextInput autoComplete="off" spellCheck={false} {...register('smsPrefixes')} />
          </Field>
        </Section>
        {isOwner && (
          <Section
            title="Second factor"
            hint="Who must sign in with an authenticator app or a passkey to do more than to change their own account. It applies at once: set up your own first."
          >
            <fieldset className="flex flex-col gap-3">
              <legend className="sr-only">Who must use a second factor</legend>
              {secondFactorGroups.map((group) => (
                <label key={group} className="flex items-center gap-3">
                  <Checkbox value={group} {...register('secondFactor')} />
                  {groupLabels[group]}
                </label>
              ))}
            </fieldset>
          </Section>
        )}
        <Section title="Footer">
          <Field
            label="Columns of links"
            optional
            error={errors.footer?.message}
            hint="The title of a column, then a link in each line: Name | https://… or Name | /page. An empty line begins another column; at most 3."
          >
            <TextArea rows={6} {...register('footer')} />
          </Field>
          <Field
            label="Social networks"
            optional
            error={errors.social?.message}
            hint="A link in each line: Name | https://…"
          >
            <TextArea rows={3} {...register('social')} />
          </Field>
        </Section>
      </RequestForm>
      {isOutdated && (
        <div role="status" className="mt-4 flex flex-wrap items-center gap-3">
          <p>
            Somebody else has changed the settings. What you typed is kept, and cannot be saved over theirs.
          </p>
          <Button variant="secondary" size="small" onClick={showPresent}>
            Show the present settings
          </Button>
        </div>
      )}
      <SettingsFileSection
        version={version}
        onImported={() => {
          draft.discard();
          location.reload();
        }}
      />
    </>
  );
}
