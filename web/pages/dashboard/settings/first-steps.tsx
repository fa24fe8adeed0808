import { type ReactNode, useId } from 'react';
import { FormProvider } from 'react-hook-form';
import { href, useRevalidator } from 'react-router';
import { listShopBrands } from '#contract/listings/brands.ts';
import { listContent } from '#contract/operations/content.ts';
import { connectCardProcessor, sendTestEmail } from '#contract/operations/first-steps.ts';
import { type HealthCheck, type HealthSubject, readHealth } from '#contract/operations/health.ts';
import { readShopSettings, saveShopSettings, type VersionedSettings } from '#contract/operations/settings.ts';
import { listOf } from '../../../formats/list-of.ts';
import { RequestForm } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { privateMeta } from '../../../metadata/page-meta.ts';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead, useReadAhead } from '../../../requests/reads.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { usePerson } from '../../../session/session.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { SmallButton } from '../../../ui/button.tsx';
import { EmailInput } from '../../../ui/field.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { TextLink } from '../../../ui/text-link.tsx';
import { CurrencySetting, orNull, Setting, SinceSetting, TimeZoneInput } from './setting.tsx';

export const meta = privateMeta('First steps');

/** @param props.isDone undefined while it is not known yet */
function Step({
  title,
  isDone,
  children,
}: {
  title: string;
  isDone: boolean | undefined;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <li aria-labelledby={id} className="card">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id={id} className="text-xl">
          {title}
        </h2>
        {isDone !== undefined &&
          (isDone ? <Badge tone="good">Done</Badge> : <Badge tone="warm">To do</Badge>)}
      </div>
      <div className="mt-3 flex flex-col gap-3">{children}</div>
    </li>
  );
}

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
function ShopStep({ present: { version, settings } }: { present: VersionedSettings }) {
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

/** What the shop found out about one of its parts. */
function Findings({ checks }: { checks: readonly HealthCheck[] }) {
  return checks.map(({ subject, finding, advice }) => (
    <p key={subject} className="wrap-anywhere">
      {finding} {advice !== null && <span className="text-muted">{advice}</span>}
    </p>
  ));
}

function Brands() {
  const { data } = useRead(listShopBrands, {});
  const shown = data?.filter(({ hidden }) => !hidden).map(({ category_Id: name }) => name);
  return (
    <Step title="Brands" isDone={shown && shown.length > 0}>
      <p>
        {shown === undefined
          ? 'Laptops are listed under a brand.'
          : shown.length === 0
            ? 'Laptops are listed under a brand, and this shop shows none yet.'
            : `The shop shows ${listOf(shown)}.`}{' '}
        <TextLink to={href('/dashboard/brands')}>Add, order, hide and merge brands</TextLink>
      </p>
    </Step>
  );
}

/** What a shop that sells has to publish, by address. */
const neededPages = { terms: 'Terms', privacy: 'Privacy', imprint: 'Imprint' } as const;

function Pages() {
  const { data } = useRead(listContent, {});
  const published = data?.filter(
    ({ kind, publishedVersion }) => kind === 'page' && publishedVersion !== null,
  );
  const missing = Object.entries(neededPages)
    .filter(([slug]) => published?.every((page) => page.slug !== slug))
    .map(([, title]) => title);
  return (
    <Step title="Terms, privacy, imprint" isDone={published && missing.length === 0}>
      <p>
        {published !== undefined && missing.length > 0 && `Not published yet: ${listOf(missing)}. `}
        <TextLink to={href('/dashboard/pages/:id?')}>Write and publish pages</TextLink>
      </p>
    </Step>
  );
}

function CardProcessor({ checks }: { checks: readonly HealthCheck[] | undefined }) {
  const connect = useWrite(connectCardProcessor, {
    onError: () => undefined,
    done: ({ created }) =>
      created === 0 ? 'It was connected already.' : 'The card processor sends its events to this shop now.',
    untilRead: true,
  });
  return (
    <Step title="Card payments" isDone={checks?.every(({ state }) => state === 'fine')}>
      <Findings checks={checks ?? []} />
      <p className="text-muted">
        Connecting lets Stripe send its events here and, when sellers are paid through it, keeps what is due
        to them from being paid out to the shop’s bank.
      </p>
      <SmallButton
        className="self-start"
        onClick={() => connect.mutate({})}
        busy={connect.isPending && 'Connecting'}
      >
        Connect Stripe
      </SmallButton>
      {connect.error && <ProblemNotice>{connect.error.message}</ProblemNotice>}
    </Step>
  );
}

function Mail({ checks }: { checks: readonly HealthCheck[] | undefined }) {
  const { email } = usePerson();
  const send = useWrite(sendTestEmail, {
    onError: () => undefined,
    done: `The mail server took an email to ${email}. See whether it arrives.`,
  });
  return (
    <Step title="Email" isDone={checks?.every(({ state }) => state === 'fine')}>
      <Findings checks={checks ?? []} />
      <SmallButton className="self-start" onClick={() => send.mutate({})} busy={send.isPending && 'Sending'}>
        Send me an email
      </SmallButton>
      {send.error && <ProblemNotice>{send.error.message}</ProblemNotice>}
    </Step>
  );
}

/** What a new shop needs before it sells. Each step says by itself whether it is done, so that they can be taken at any time. */
export default function FirstStepsPage() {
  const settings = useRead(readShopSettings, {});
  const health = useRead(readHealth, {});
  useReadAhead(listShopBrands, {});
  useReadAhead(listContent, {});
  const of = (...subjects: HealthSubject[]) =>
    health.data?.checks.filter(({ subject }) => subjects.includes(subject));
  const backups = of('backups');
  return (
    <>
      <PageHeading title="First steps">
        What a new shop needs before it sells. The steps can be taken in any order, and at any time again.
      </PageHeading>
      <QueryView query={settings} what="the settings">
        {(present) => (
          <ol className="flex flex-col gap-5">
            <Step title="Your shop" isDone={present.version > 0 && present.missing.length === 0}>
              {present.missing.length > 0 && (
                <p>
                  It takes no bookings and payments before it states {listOf(present.missing)}, or is declared
                  private in the settings.
                </p>
              )}
              <ShopStep present={present} />
              <p>
                Logo, colours, commission and the rest are in the{' '}
                <TextLink to={href('/dashboard/settings')}>settings</TextLink>.
              </p>
            </Step>
            <Brands />
            <Pages />
            <CardProcessor checks={of('payments', 'balance')} />
            <Mail checks={of('email')} />
            <Step title="Backups" isDone={backups?.every(({ state }) => state === 'fine')}>
              <Findings checks={backups ?? []} />
            </Step>
          </ol>
        )}
      </QueryView>
    </>
  );
}
