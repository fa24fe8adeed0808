import { type ReactNode, useId } from 'react';
import { href } from 'react-router';
import { listShopBrands } from '#contract/listings/brands.ts';
import { listContent } from '#contract/operations/content.ts';
import { connectCardProcessor, sendTestEmail } from '#contract/operations/first-steps.ts';
import { type HealthCheck, type HealthSubject, readHealth } from '#contract/operations/health.ts';
import { readShopSettings } from '#contract/operations/settings.ts';
import { shippingCountriesOf } from '#contract/platform/shop-settings.ts';
import { countryName } from '../../../formats/country-name.ts';
import { listOf } from '../../../formats/list-of.ts';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { privateMeta } from '../../../metadata/page-meta.ts';
import { QueryView } from '../../../requests/query-view.tsx';
import { usePrefetch, useRead } from '../../../requests/reads.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { usePerson } from '../../../session/session.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { SmallButton } from '../../../ui/button.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { TextLink } from '../../../ui/text-link.tsx';

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
  usePrefetch(listShopBrands, {});
  usePrefetch(listContent, {});
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
            <Step
              title="Your shop"
              isDone={
                present.version > 0 && present.missing.length === 0 && present.settings.country !== null
              }
            >
              {present.missing.length > 0 && (
                <p>
                  It takes no bookings and payments before it states {listOf(present.missing)}, or is declared
                  private.
                </p>
              )}
              {present.settings.country === null && (
                <p>
                  It has no country yet: phone numbers are not checked, and parcels stay within{' '}
                  {listOf(shippingCountriesOf(present.settings).map(countryName))}.
                </p>
              )}
              <p>
                Its name, currency, company, address, country, time zone and commission, and how it looks.{' '}
                <TextLink to={href('/dashboard/settings')}>Choose the settings</TextLink>
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
