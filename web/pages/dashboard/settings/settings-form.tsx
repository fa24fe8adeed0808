import { type ComponentProps, useEffect, useState } from 'react';
import { FormProvider, useWatch } from 'react-hook-form';
import { useRevalidator } from 'react-router';
import { saveShopSettings, type VersionedSettings } from '#contract/operations/settings.ts';
import { currencyCodes, currencyLabel, currencyOf } from '#contract/platform/currencies.ts';
import {
  deadlineBounds,
  type SecondFactorGroup,
  secondFactorGroups,
  shopPictureKinds,
} from '#contract/platform/shop-settings.ts';
import { RequestForm } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { useRoles } from '../../../session/roles.ts';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/choice.tsx';
import { AmountInput, EmailInput, Options, Select, TextArea } from '../../../ui/field.tsx';
import { Section as TitledSection } from '../../../ui/section.tsx';
import { Colors } from './colors.tsx';
import { type FormValues, ownColors, toFormValues, toSettings } from './form-values.ts';
import { LeastPriceWarning } from './least-price-warning.tsx';
import { PictureField } from './picture-field.tsx';
import { Preview } from './preview.tsx';
import { optionalNumber, orNull, readNumber, Setting, TimeZoneInput } from './setting.tsx';
import { SettingsFileSection } from './settings-file.tsx';

/** The sections of the form, in their order. */
const sections = [
  'Name and look',
  'Colours',
  'Contact',
  'Legal identity',
  'Tax',
  'Terms of sale',
  'Deadlines of orders',
  'Shipping',
  'Codes by SMS',
  'Backups',
  'Second factor',
  'Footer',
] as const;
type SectionTitle = (typeof sections)[number];
const idOf = (title: SectionTitle) => title.toLowerCase().replaceAll(' ', '-');

const Section = ({
  children,
  title,
  ...props
}: ComponentProps<typeof TitledSection> & { title: SectionTitle }) => (
  <TitledSection {...props} title={title} id={idOf(title)} className="card">
    <div className="mt-4 flex flex-col gap-5">{children}</div>
  </TitledSection>
);

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

/** The label of each deadline, and what its hint begins with. */
const deadlineFields = [
  ['hold', 'Money of a meeting is released after', ''],
  ['sending', 'Sellers send within', ''],
  ['looking', 'Buyers can complain for', 'After the hand-over or the delivery. '],
  ['answering', 'Sellers answer a complaint within', ''],
  ['returning', 'Buyers return a laptop within', ''],
] as const;

const groupLabels: Readonly<Record<SecondFactorGroup, string>> = {
  owners: 'Owners',
  staff: 'Other admins',
  sellers: 'Sellers',
};

const pair = 'grid gap-5 sm:grid-cols-2';
const number = { inputMode: 'numeric', read: readNumber } as const;

/** An amount in the currency that is chosen. */
function Amount(props: ComponentProps<'input'>) {
  const { sign } = currencyOf(useWatch<FormValues, 'currency'>({ name: 'currency' }));
  return <AmountInput sign={sign} understood={undefined} {...props} />;
}

const Lines = (props: ComponentProps<'textarea'>) => <TextArea rows={4} {...props} />;

/**
 * The form of all settings. It keeps what is typed when somebody else changes the settings, and says so when it is sent.
 * @param props.present the settings as they are now
 */
export function SettingsForm({ present }: { present: VersionedSettings }) {
  const roles = useRoles();
  const isOwner = roles.status === 'known' && roles.rights?.isOwner === true;
  const { revalidate } = useRevalidator();
  /** The version that the form shows. */
  const [version, setVersion] = useState(present.version);
  /** The version that was saved here and is not shown yet: the shop may have stored other values, such as another least price. */
  const [saved, setSaved] = useState<number | null>(null);
  const form = useWriteForm(saveShopSettings, {
    defaultValues: toFormValues(present.settings),
    input: (values: FormValues) => ({ body: { version, settings: toSettings(values) } }),
    done: 'The settings were saved, and apply now.',
    onSuccess: (answer) => {
      setVersion(answer.version);
      setSaved(answer.version);
      void revalidate();
    },
  });
  const values = form.watch();
  const colors = ownColors(values.colors);
  const isOutdated = present.version > version && !form.isSubmitting;

  useEffect(() => {
    if (saved === null || present.version < saved) return;
    setSaved(null);
    form.reset(toFormValues(present.settings));
  }, [saved, present, form.reset]);

  function showPresent() {
    setVersion(present.version);
    form.reset(toFormValues(present.settings));
  }

  return (
    <>
      <nav aria-label="Sections of the settings" className="mb-5 flex flex-wrap gap-x-4">
        {sections
          .filter((title) => isOwner || title !== 'Second factor')
          .map((title) => (
            <a key={title} href={`#${idOf(title)}`} className="link inline-flex min-h-9 items-center">
              {title}
            </a>
          ))}
      </nav>
      <FormProvider {...form}>
        <RequestForm
          form={form}
          submit="Save settings"
          busy="Saving"
          // The form is many screens long.
          buttonClass="sticky-submit sticky bottom-4 z-10 self-end shadow-card"
        >
          <Section title="Name and look">
            <div className={pair}>
              <Setting name="name" label="Name" />
              <Setting
                name="since"
                label="Since"
                {...optionalNumber}
                hint="The year in which the shop began."
              />
            </div>
            <Setting name="tagline" label="Tagline" hint="What the shop is, in a few words." />
            {shopPictureKinds.map((kind) => (
              <PictureField
                key={kind}
                kind={kind}
                {...pictureFields[kind]}
                picture={values[kind]}
                error={form.errors[kind]?.message}
                onChange={(picture) => {
                  form.setValue(kind, picture);
                  form.clearErrors(kind);
                  form.draft?.save(form.getValues());
                }}
              />
            ))}
          </Section>
          <Section
            title="Colours"
            hint="Text must be readable on what is behind it (WCAG 2.2 AA), in both themes."
          >
            <Preview {...values} colors={colors} />
            <Colors register={form.register} colors={colors} />
          </Section>
          <Section
            title="Contact"
            hint="Shown in the footer of every page. Leave out what the shop does not have."
          >
            <div className={pair}>
              <Setting name="contact.email" label="Email" optional as={EmailInput} />
              <Setting name="contact.phone" label="Phone" optional type="tel" />
            </div>
            <Setting name="contact.address" label="Address for visitors" optional />
          </Section>
          <Section
            title="Legal identity"
            hint="Who runs the shop, in the footer, in emails and on future receipts. A shop that takes real money needs a company, its address and an email address, or must be private."
          >
            <div className={pair}>
              <Setting name="legal.company" label="Company" optional />
              <Setting name="legal.address" label="Registered address" optional />
              <Setting name="legal.registerNumber" label="Register number" optional />
              <Setting name="legal.vatNumber" label="VAT number" optional hint="Receipts state it." />
            </div>
            <label className="flex items-start gap-3">
              <Checkbox {...form.register('isPrivate')} />
              <span>This shop is private: it is not a business and needs no legal identity.</span>
            </label>
          </Section>
          <Section
            title="Tax"
            hint="What future receipts state. Sales are between buyers and sellers, so that only the commission is taxed by the shop."
          >
            <div className={pair}>
              <Setting name="tax.name" label="Name of the tax" hint="Such as VAT, MwSt. or IVA." />
              <Setting
                name="tax.commissionBasisPoints"
                label="Tax in the commission, percent"
                inputMode="decimal"
                hint="It is included in the commission. 0 states none."
              />
            </div>
            <Setting
              name="tax.saleNote"
              label="Note on receipts of sales"
              optional
              hint="Such as the scheme for second-hand goods."
            />
          </Section>
          <Section
            title="Terms of sale"
            hint="They apply to later sales. An order keeps the commission under which it was paid."
          >
            <Setting
              name="currency"
              label="Currency"
              as={Select}
              hint="Of all prices and payments. It can change until the first booking, while no laptop is listed. The card processor must settle in it."
            >
              <Options values={currencyCodes} label={(code) => currencyLabel(code)} />
            </Setting>
            <div className={pair}>
              <Setting
                name="commission.basisPoints"
                label="Commission, percent of the price"
                inputMode="decimal"
                hint="From 0 to 50, with at most two decimals."
              />
              <Setting name="commission.fixedCents" label="Commission, fixed amount" as={Amount} />
              <Setting
                name="batteryFloors.Excellent"
                label="Least battery health for “Excellent”, percent"
                {...number}
                hint="A listing with less does not count as measured."
              />
              <Setting
                name="batteryFloors.Good"
                label="Least battery health for “Good”, percent"
                {...number}
              />
            </div>
            <Setting
              name="leastPriceCents"
              label="Least price of a laptop"
              as={Amount}
              hint="Not less than a card can be charged. Laptops that are listed already keep their price."
            />
            <LeastPriceWarning {...toSettings(values)} />
            <Setting
              name="payoutAfter"
              label="When sellers are paid"
              as={Select}
              hint="A sale is released when the buyer has the laptop and is content. What a complaint takes back after the seller was paid is a debt of the seller. A change applies to all money that was not paid yet."
            >
              <option value="completed">After the time for complaints</option>
              <option value="release">At the release</option>
            </Setting>
            <Setting
              name="payoutMethod"
              label="How sellers are paid"
              as={Select}
              hint="With Stripe Connect sellers open accounts there, and the shop transfers what is due by itself. Mark as paid what you have paid by hand before you choose it. Then press “Connect Stripe” on the first steps: it stops Stripe’s automatic payouts to your bank, which would take what is due to sellers."
            >
              <option value="by_hand">By an admin, such as by bank transfer</option>
              <option value="card_processor">Through Stripe Connect</option>
            </Setting>
            <Setting
              name="bankAccount"
              label="Bank account of the shop"
              optional
              spellCheck={false}
              hint="Shown to sellers who owe the shop money, such as PT50 0002 …, Shop Lda."
            />
            <Setting
              name="timeZone"
              label="Time zone"
              as={TimeZoneInput}
              hint="Of days, months and the years of receipts. A change recalculates the months in the books."
            />
          </Section>
          <Section
            title="Deadlines of orders"
            hint="In days. A change applies to what happens to orders from then on; dates that an order has already stay."
          >
            <div className={pair}>
              {deadlineFields.map(([name, label, hint]) => (
                <Setting
                  key={name}
                  name={`deadlines.${name}`}
                  label={label}
                  {...number}
                  hint={`${hint}From ${deadlineBounds[name].join(' to ')} days.`}
                />
              ))}
            </div>
          </Section>
          <Section title="Shipping">
            <div className={pair}>
              <Setting
                name="country"
                label="Country of the shop"
                optional
                read={orNull}
                spellCheck={false}
                hint="Two letters (ISO 3166), such as PT. Phone numbers without a country code are checked as numbers of it; without one they are kept as typed."
              />
              <Setting
                name="shippingCountries"
                label="Countries in which laptops are sent"
                optional
                spellCheck={false}
                hint="Such as US, CA. Each parcel stays in its country, and the first one is what sellers start with. If none is named: the country of the shop, else US. Laptops that are listed from another one stay."
              />
            </div>
            <Setting
              name="shippingBorneBy"
              label="Who pays for labels"
              as={Select}
              hint="Shipping costs the buyer nothing. It applies to labels whose prices are shown from now on, also of returns; a label of a seller’s own is the seller’s. If the shop pays, sellers get the cheapest label that carriers offer."
            >
              <option value="seller">The seller, from the money of the sale</option>
              <option value="shop">The shop</option>
            </Setting>
          </Section>
          <Section
            title="Codes by SMS"
            hint="Sellers confirm their phone number with a code, if the shop has a hook that sends text messages."
          >
            <Setting
              name="smsPrefixes"
              label="Beginnings of numbers to which codes are sent"
              optional
              spellCheck={false}
              hint="The countries of your sellers, such as +351, +34. Messages to some numbers are expensive, so a shop with a hook sends no code before they are named."
            />
            <Setting
              name="smsCodesPerDay"
              label="Codes in a day"
              {...number}
              hint="The most that are sent in a day in UTC, from 1 to 100,000."
            />
          </Section>
          <Section
            title="Backups"
            hint="The shop makes them if BACKUP_TO names a place for them. Health shows how the last one went."
          >
            <div className={pair}>
              <Setting
                name="backups.everyHours"
                label="Hours between two backups"
                {...optionalNumber}
                hint="From 1 to 744. Leave it empty to make none."
              />
              <Setting
                name="backups.keep"
                label="Backups that are kept"
                {...number}
                hint="From 1 to 999. Older ones are removed after the next one."
              />
            </div>
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
                    <Checkbox value={group} {...form.register('secondFactor')} />
                    {groupLabels[group]}
                  </label>
                ))}
              </fieldset>
            </Section>
          )}
          <Section title="Footer">
            <Setting
              name="footer"
              label="Columns of links"
              optional
              as={Lines}
              hint="The title of a column, then a link in each line: Name | https://… or Name | /page. An empty line begins another column; at most 3."
            />
            <Setting
              name="social"
              label="Social networks"
              optional
              as={Lines}
              hint="A link in each line: Name | https://…"
            />
          </Section>
        </RequestForm>
      </FormProvider>
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
      <SettingsFileSection version={version} onImported={() => location.reload()} />
    </>
  );
}
