import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { href, Link, useNavigate, useSearchParams } from 'react-router';
import {
  type EmailFrequency,
  emailFrequencies,
  MAXIMUM_NAME_LENGTH,
  saveSearch,
} from '#contract/listings/saved-searches.ts';
import { Problem } from '#contract/platform/client.ts';
import {
  savedResultsUrl,
  savedSearchesQuery,
  useRefreshSavedSearches,
} from '../../laptops/saved-searches.ts';
import { errorMessage } from '../../requests/error-message.ts';
import { queryClientFor } from '../../requests/query-client.ts';
import { useApi, usePerson } from '../../session/session.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Radio } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, FormFailure, TextInput } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { toast } from '../../ui/toast.tsx';
import { SAVE_PARAMETER, type SaveSearchProps } from './save-search-props.ts';
import { parameterNames, searchUrl } from './search-url.ts';

const frequencies: Readonly<Record<EmailFrequency, { label: string; hint: string }>> = {
  daily: { label: 'Once a day', hint: 'At most one email a day, about everything new.' },
  'at once': { label: 'At once', hint: 'Within minutes, at most every quarter of an hour.' },
};

/** The filters of parameters, as the call takes them. */
function toFilters(parameters: URLSearchParams) {
  const { q, verified, ...filters } = Object.fromEntries(
    parameterNames
      .filter((name) => name !== 'sort' && parameters.has(name))
      .map((name) => [name, parameters.getAll(name)]),
  );
  return {
    ...filters,
    q: q?.[0] ?? '',
    ...(verified !== undefined && { verified: 'yes' as const }),
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

function SaveSearchForm({ name: initialName, parameters, onSaved }: FormProps) {
  const api = useApi();
  const refresh = useRefreshSavedSearches();
  const [name, setName] = useState(initialName);
  const [frequency, setFrequency] = useState<EmailFrequency>('daily');
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<{ message: string; name?: string | undefined } | null>(null);

  async function save(event: FormEvent) {
    event.preventDefault();
    setIsBusy(true);
    setFailure(null);
    try {
      const body = { name, frequency, filters: toFilters(parameters) };
      const { message } = await api.call(saveSearch, { body });
      toast.success(message);
      await refresh();
      onSaved();
    } catch (error) {
      const ofName = error instanceof Problem ? error.errors.name : undefined;
      setFailure({ message: ofName === undefined ? errorMessage(error) : '', name: ofName });
      setIsBusy(false);
    }
  }

  return (
    <form onSubmit={save} noValidate className="flex flex-col gap-5">
      <Field label="Name" error={failure?.name}>
        <TextInput
          value={name}
          maxLength={MAXIMUM_NAME_LENGTH}
          autoComplete="off"
          required
          onChange={({ target }) => setName(target.value)}
        />
      </Field>
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1.5 font-semibold text-sm">Emails</legend>
        {emailFrequencies.toReversed().map((each) => (
          <label
            key={each}
            className="flex cursor-pointer items-start gap-3 rounded-lg border border-border p-3"
          >
            <Radio name="frequency" checked={frequency === each} onChange={() => setFrequency(each)} />
            <span>
              <span className="font-semibold">{frequencies[each].label}</span>
              <span className="block text-muted text-sm">{frequencies[each].hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <FormFailure message={failure === null || failure.message === '' ? null : failure.message} />
      <Button type="submit" busy={isBusy && 'Saving'}>
        Save search
      </Button>
    </form>
  );
}

function SaveSearchActions({ parameters: text, words, corrected }: SaveSearchProps) {
  const api = useApi();
  const navigate = useNavigate();
  const [shown] = useSearchParams();
  const [isOpen, setIsOpen] = useState(shown.has(SAVE_PARAMETER));
  const { data } = useQuery({ ...savedSearchesQuery(api), refetchOnWindowFocus: false });
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
        <Button variant="secondary" size="small" onClick={() => setIsOpen(true)}>
          Save this search
        </Button>
      )}
      <Dialog
        open={isOpen && isSaved !== true}
        onOpenChange={(open) => !open && close()}
        title="Save this search"
        description={
          <p>
            We email you about new matches and price drops. Every email has an unsubscribe link. Your{' '}
            <Link to={href('/dashboard/savedSearches')} className="link font-semibold">
              saved searches
            </Link>{' '}
            are in your dashboard.
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

/** The button and the dialog of a signed-in user; a link to the saved searches when this one is among them. */
export function SaveSearchOfUser(props: SaveSearchProps) {
  const { email } = usePerson();
  return (
    <QueryClientProvider client={queryClientFor(email)}>
      <SaveSearchActions key={props.parameters} {...props} />
    </QueryClientProvider>
  );
}
