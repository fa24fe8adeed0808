import { useState } from 'react';
import { href, useNavigate, useSearchParams } from 'react-router';
import {
  type EmailFrequency,
  emailFrequencies,
  listSavedSearches,
  MAXIMUM_NAME_LENGTH,
  saveSearch,
} from '#contract/listings/saved-searches.ts';
import { RequestForm } from '../../forms/request-form.tsx';
import { UnconfirmedEmail, useUnconfirmedEmail } from '../../forms/unconfirmed-email.tsx';
import { useWriteForm } from '../../forms/use-write-form.ts';
import { savedResultsUrl } from '../../laptops/saved-searches.ts';
import { useRead } from '../../requests/reads.ts';
import { LinkButton, SmallButton } from '../../ui/button.tsx';
import { Radio } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ActionLink } from '../../ui/text-link.tsx';
import { SAVE_PARAMETER, type SaveSearchProps } from './save-search-props.ts';
import { parameterNames, searchUrl } from './search-url.ts';

const frequencies: Readonly<Record<EmailFrequency, { label: string; hint: string }>> = {
  daily: { label: 'Once a day', hint: 'At most one email a day, about everything new.' },
  'at once': { label: 'At once', hint: 'Within minutes, at most every quarter of an hour.' },
};

/** The filters of parameters, as the call takes them. */
function toFilters(parameters: URLSearchParams) {
  const { q, ...filters } = Object.fromEntries(
    parameterNames(parameters)
      .filter((name) => name !== 'sort')
      .map((name) => [name, parameters.getAll(name)]),
  );
  return {
    ...filters,
    q: q?.[0] ?? '',
    min_price: parameters.get('min_price') ?? '',
    max_price: parameters.get('max_price') ?? '',
  };
}

/** Parameters in a form in which equal searches are equal texts, but for differences in the words. */
function comparable(parameters: URLSearchParams): string {
  const copy = new URLSearchParams(parameters);
  copy.delete('sort');
  if (copy.has('q')) copy.set('q', copy.get('q')?.trim().toLowerCase() ?? '');
  return searchUrl(copy);
}

const parametersOf = (url: string) => new URLSearchParams(url.slice(url.indexOf('?')));

interface FormProps {
  name: string;
  parameters: URLSearchParams;
  onSaved: () => void;
}

function SaveSearchForm({ name, parameters, onSaved }: FormProps) {
  const unconfirmedEmail = useUnconfirmedEmail();
  const form = useWriteForm(saveSearch, {
    defaultValues: { name, frequency: 'daily' },
    input: (values: { name: string; frequency: string }) => ({
      body: { ...values, filters: toFilters(parameters) },
    }),
    onClose: onSaved,
  });
  return (
    <RequestForm form={form} submit="Save search" busy="Saving">
      <Field label="Name" {...form.field('name')}>
        <TextInput maxLength={MAXIMUM_NAME_LENGTH} autoComplete="off" required />
      </Field>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1.5 font-semibold text-sm">Emails</legend>
        {emailFrequencies.toReversed().map((each) => (
          <label
            key={each}
            className="flex cursor-pointer items-start gap-3 rounded-lg border border-border p-3"
          >
            <Radio value={each} {...form.register('frequency')} />
            <span>
              <span className="font-semibold">{frequencies[each].label}</span>
              <span className="block text-muted text-sm">{frequencies[each].hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {unconfirmedEmail !== null && (
        <UnconfirmedEmail email={unconfirmedEmail}>
          Emails come once you have confirmed your address.
        </UnconfirmedEmail>
      )}
    </RequestForm>
  );
}

/** The button and the dialog of a signed-in user; a link to the saved searches when this one is among them. */
export function SaveSearchOfUser({ parameters: text, words, corrected }: SaveSearchProps) {
  const navigate = useNavigate();
  const [shown] = useSearchParams();
  const [isOpen, setIsOpen] = useState(shown.has(SAVE_PARAMETER));
  const { data } = useRead(listSavedSearches, {}, { refetchOnWindowFocus: false });
  const parameters = new URLSearchParams(text);
  // The corrected words are what the results show.
  if (corrected !== undefined) parameters.set('q', corrected);
  const isSaved = data?.some(
    ({ filters }) => comparable(parametersOf(savedResultsUrl(filters))) === comparable(parameters),
  );

  function close() {
    setIsOpen(false);
    if (shown.has(SAVE_PARAMETER)) {
      void navigate(`${href('/laptops')}?${text}`, { replace: true, preventScrollReset: true });
    }
  }

  return (
    <>
      {isSaved ? (
        <LinkButton
          variant="secondary"
          size="small"
          to={href('/dashboard/savedSearches')}
          aria-label="Saved: see your saved searches"
        >
          <Icon name="check" strokeWidth="2" className="size-4" />
          Saved
        </LinkButton>
      ) : (
        <SmallButton onClick={() => setIsOpen(true)}>Save this search</SmallButton>
      )}
      <Dialog
        open={isOpen && isSaved !== true}
        onOpenChange={(open) => !open && close()}
        title="Save this search"
        description={
          <p>
            We email you about new matches and price drops. Every email has an unsubscribe link. Your{' '}
            <ActionLink to={href('/dashboard/savedSearches')}>saved searches</ActionLink> are in your
            dashboard.
          </p>
        }
      >
        <SaveSearchForm
          name={(corrected === undefined ? words : words.replace(/“[^“”]*”/u, `“${corrected}”`)).slice(
            0,
            MAXIMUM_NAME_LENGTH,
          )}
          parameters={parameters}
          onSaved={close}
        />
      </Dialog>
    </>
  );
}
