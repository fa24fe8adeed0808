import { href, Link } from 'react-router';
import {
  changeSavedSearch,
  deleteSavedSearch,
  type EmailFrequency,
  emailFrequencies,
  listSavedSearches,
  type SavedSearch,
} from '#contract/listings/saved-searches.ts';
import { DateTime } from '../../../formats/date-time.tsx';
import { chosenFilters } from '../../../laptops/filter-labels.ts';
import { frequencyNames, savedResultsUrl } from '../../../laptops/saved-searches.ts';
import { PageHeading } from '../../../layout/page-heading.tsx';
import { RowMenu } from '../../../lists/row-menu.tsx';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { useWrite } from '../../../requests/use-write.ts';
import { Badge } from '../../../ui/badge.tsx';
import { LinkButton, SmallButton } from '../../../ui/button.tsx';
import { Field, Options, Select } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Skeletons } from '../../../ui/skeletons.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { ActionLink } from '../../../ui/text-link.tsx';

const isFrequency = (value: string): value is EmailFrequency =>
  emailFrequencies.some((frequency) => frequency === value);

function LastEmail({ search: { paused, lastEmailAt } }: { search: SavedSearch }) {
  if (lastEmailAt !== null) {
    return (
      <>
        Last email: <DateTime at={lastEmailAt} />
      </>
    );
  }
  return paused ? 'No email yet.' : 'No email yet. We email you about new matches and price drops.';
}

function SearchCard({ search }: { search: SavedSearch }) {
  const { _id, name, filters, frequency, paused } = search;
  const params = { _id };
  const change = useWrite(changeSavedSearch, {
    scope: `saved search ${_id}`,
    done: (_, { body }) =>
      body.paused === true
        ? `Emails for ${name} are paused.`
        : body.paused === false
          ? `Emails for ${name} are resumed.`
          : `The email frequency for ${name} was changed.`,
    untilRead: true,
  });
  const words = chosenFilters(filters).map(({ label }) => label);
  return (
    <article
      aria-label={name}
      className="card flex flex-col gap-4 sm:flex-row sm:items-start sm:justify-between"
    >
      <div className="min-w-0">
        <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-lg">
          <Link to={savedResultsUrl(filters)} className="underline-offset-4 wrap-anywhere hover:underline">
            {name}
          </Link>
          {paused && <Badge tone="neutral">Emails paused</Badge>}
        </h2>
        <p className="mt-1 text-muted wrap-anywhere">{words.join(', ')}</p>
        <p className="mt-2 text-muted text-sm">
          <LastEmail search={search} />
        </p>
      </div>
      <div className="flex shrink-0 flex-wrap items-end gap-2">
        <Field label="Emails">
          <Select
            value={(change.isPending ? change.variables.body.frequency : undefined) ?? frequency}
            aria-label={`Emails of ${name}`}
            onChange={({ target }) => {
              if (isFrequency(target.value)) change.mutate({ params, body: { frequency: target.value } });
            }}
          >
            <Options values={emailFrequencies} label={(each) => frequencyNames[each]} />
          </Select>
        </Field>
        <div className="flex min-h-11 items-center gap-2">
          <SmallButton
            aria-label={`${paused ? 'Resume' : 'Pause'} the emails of ${name}`}
            busy={change.isPending && 'Saving'}
            onClick={() => change.mutate({ params, body: { paused: !paused } })}
          >
            {paused ? 'Resume' : 'Pause'}
          </SmallButton>
          <RowMenu
            name={name}
            deletion={{
              consequence: 'You get no more emails about this search.',
              endpoint: deleteSavedSearch,
              _id,
            }}
          />
        </div>
      </div>
    </article>
  );
}

export default function SavedSearches() {
  const searches = useRead(listSavedSearches, {}, { refetchOnMount: 'always' });
  return (
    <>
      <PageHeading title="Saved Searches">We email you about new matches and price drops.</PageHeading>
      <QueryView query={searches} what="your saved searches" skeleton={<Skeletons className="h-32" />}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState
              title="You have no saved searches"
              action={<LinkButton to={href('/laptops')}>Search laptops</LinkButton>}
            >
              Search or filter, then choose ‘Save this search’ above the results.
            </EmptyState>
          ) : (
            <>
              {rows.some(({ emailVerified }) => !emailVerified) && (
                <Notice tone="info" className="mb-5">
                  Your email address is not confirmed, so we do not look for new matches yet. You can confirm
                  it on your <ActionLink to={href('/dashboard/account')}>account page</ActionLink>.
                </Notice>
              )}
              <ul aria-label="Saved searches" className="flex flex-col gap-4">
                {rows.map((search) => (
                  <li key={search._id}>
                    <SearchCard search={search} />
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </QueryView>
    </>
  );
}
