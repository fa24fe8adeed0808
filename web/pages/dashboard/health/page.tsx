import { useMutation } from '@tanstack/react-query';
import { Fragment } from 'react';
import { href } from 'react-router';
import {
  type HealthCheck,
  type HealthState,
  type HealthSubject,
  healthStates,
  readHealth,
} from '#contract/operations/health.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { Badge } from '../../../ui/badge.tsx';
import { SmallButton } from '../../../ui/button.tsx';
import { TextLink } from '../../../ui/text-link.tsx';

/** How the states of a part of the shop are shown. */
const healthStateBadges: Readonly<
  Record<HealthState, { word: string; tone: 'good' | 'warm' | 'bad'; summary: string }>
> = {
  fine: { word: 'Fine', tone: 'good', summary: 'Everything works' },
  look: { word: 'Look at it', tone: 'warm', summary: 'Something needs a look' },
  broken: { word: 'Broken', tone: 'bad', summary: 'Something does not work' },
};

/** How often the page asks again while it is visible, in milliseconds. */
const REFRESH_MS = 15_000;

const names: Readonly<Record<HealthSubject, string>> = {
  shop: 'Shop',
  identity: 'Identity of the shop',
  database: 'Database',
  jobs: 'Jobs',
  backups: 'Backups',
  email: 'Email',
  sms: 'SMS',
  payments: 'Card processor',
  balance: 'Balance at the card processor',
  commission: 'Commission',
  parcels: 'Parcels',
  carriers: 'Carriers',
  photos: 'Photos',
  search: 'Search',
};

const settingsPath = href('/dashboard/settings');

function Check({ check }: { check: HealthCheck }) {
  const { subject, state, finding, advice, figures } = check;
  return (
    <li className="card">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg">{names[subject]}</h2>
        <Badge tone={healthStateBadges[state].tone}>{healthStateBadges[state].word}</Badge>
      </div>
      <p className="mt-2 wrap-anywhere">{finding}</p>
      {advice !== null && (
        <p className="mt-1 text-muted wrap-anywhere">
          {advice.split(settingsPath).map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of one sentence
            <Fragment key={index}>
              {index > 0 && <TextLink to={settingsPath}>{settingsPath}</TextLink>}
              {part}
            </Fragment>
          ))}
        </p>
      )}
      {figures.length > 0 && (
        <dl className="mt-3 flex flex-col gap-y-1 text-sm">
          {figures.map(({ name, value }) => (
            <div key={name} className="flex flex-wrap justify-between gap-x-4">
              <dt className="text-muted">{name}</dt>
              <dd className="figures wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

/** What needs the operator comes first. Stable: parts in the same state stay in their order. */
const inOrder = (checks: readonly HealthCheck[]): HealthCheck[] =>
  checks.toSorted((one, other) => healthStates.indexOf(other.state) - healthStates.indexOf(one.state));

/** Whether each part of the shop works, and what the operator can do. */
export default function HealthPage() {
  const health = useRead(readHealth, {}, { refetchOnMount: 'always', refetchInterval: REFRESH_MS });
  const again = useMutation({ mutationFn: () => health.refetch() });
  return (
    <>
      <PageHeading title="Health">
        Whether each part of the shop works, and what to do when it does not.
      </PageHeading>

      <QueryView query={health} what="the shop’s health">
        {(data) => (
          <>
            <div className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-2">
              <p role="status" className="font-semibold">
                {healthStateBadges[data.state].summary}
              </p>
              <p className="text-muted text-sm">
                Checked <DateTime at={data.checkedAt} />
              </p>
              <SmallButton onClick={() => again.mutate()} busy={again.isPending && 'Checking'}>
                Check again
              </SmallButton>
            </div>
            <ul className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
              {inOrder(data.checks).map((check) => (
                <Check key={check.subject} check={check} />
              ))}
            </ul>
          </>
        )}
      </QueryView>
    </>
  );
}
