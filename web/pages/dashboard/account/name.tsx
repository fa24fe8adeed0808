import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type * as z from 'zod/mini';
import { readOwnName, renameUser, withdrawName } from '#contract/people/accounts.ts';
import { Day } from '../../../formats/date-time.tsx';
import { useRequestForm } from '../../../forms/use-request-form.ts';
import { QueryView } from '../../../requests/query-view.tsx';
import { useApi, usePerson, useSessionStore } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field, FormFailure, TextInput } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { Section } from './section.tsx';
import { withToast } from './use-account.ts';

type OwnName = z.infer<typeof readOwnName.answer>;

/** Lets the session, and with it the identity provider, follow a name that was changed here or approved by an admin. */
function useNameInSession(name: string | undefined): void {
  const store = useSessionStore();
  const { name: nameInSession } = usePerson();
  useEffect(() => {
    if (name === undefined || name === nameInSession) return;
    // After a failure it is tried again when this page is opened again.
    store.run((actions) => actions.setDisplayName(name)).catch((error: unknown) => console.error(error));
  }, [name, nameInSession, store]);
}

function WaitingName({ name, waiting }: { name: string; waiting: NonNullable<OwnName['waiting']> }) {
  const api = useApi();
  const queries = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const withdraw = async () => {
    setIsBusy(true);
    await withToast(
      api.call(withdrawName, {}).then(() => queries.invalidateQueries({ queryKey: ['ownName'] })),
      () => `Your new name was withdrawn. You keep the name ${name}.`,
    );
    setIsBusy(false);
  };
  return (
    <Notice tone="info" className="flex w-full max-w-md flex-col items-start gap-3">
      <p className="wrap-anywhere">
        We are checking your new name <strong>{waiting.name}</strong> (asked on <Day at={waiting.at} />
        ). Until then buyers see your present name.
      </p>
      <Button variant="secondary" size="small" onClick={withdraw} busy={isBusy && 'Withdrawing'}>
        Withdraw the new name
      </Button>
    </Notice>
  );
}

function NameForm({ own }: { own: OwnName }) {
  const api = useApi();
  const queries = useQueryClient();
  const { register, submit, errors, isSubmitting, failure } = useRequestForm<{ name: string }>(
    async ({ name }) => {
      const { waits } = await api.call(renameUser, { body: { name } });
      toast.success(
        waits
          ? 'We are checking your new name. Until then buyers see your present name.'
          : 'Your name was changed.',
      );
      // Lists show names.
      await queries.invalidateQueries();
    },
    { name: own.name },
  );
  return (
    <form onSubmit={submit} noValidate className="flex w-full max-w-md flex-col gap-5">
      <Field
        label="Name"
        error={errors.name?.message}
        hint={
          own.isChecked
            ? 'Your laptops, your bookings and your emails show it. We have verified you under this name. A new name is shown after we have approved it.'
            : 'Your laptops, your bookings and your emails show it.'
        }
      >
        <TextInput
          autoComplete="name"
          {...register('name', { validate: (value) => value.trim() !== '' || 'Name is required' })}
        />
      </Field>
      <FormFailure message={failure} />
      <Button type="submit" variant="secondary" className="self-start" busy={isSubmitting && 'Changing'}>
        Change name
      </Button>
    </form>
  );
}

/** The own name, the form to change it, and the new one that waits for an admin. */
export function Name() {
  const api = useApi();
  const { email } = usePerson();
  const query = useQuery({
    queryKey: ['ownName', email],
    queryFn: ({ signal }) => api.call(readOwnName, { signal }),
  });
  useNameInSession(query.data?.name);
  return (
    <Section title="Name">
      <QueryView query={query} what="your name" skeleton={<Skeleton className="h-32 w-full max-w-md" />}>
        {(own) => (
          <>
            {own.waiting && <WaitingName name={own.name} waiting={own.waiting} />}
            <NameForm own={own} />
          </>
        )}
      </QueryView>
    </Section>
  );
}
