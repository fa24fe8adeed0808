import { useEffect } from 'react';
import type * as z from 'zod/mini';
import { readOwnName, renameUser, withdrawName } from '#contract/people/accounts.ts';
import { Day } from '../../../formats/date-time.tsx';
import { RequestForm } from '../../../forms/request-form.tsx';
import { useWriteForm } from '../../../forms/use-write-form.ts';
import { WriteButton } from '../../../forms/write-button.tsx';
import { QueryView } from '../../../requests/query-view.tsx';
import { useRead } from '../../../requests/reads.ts';
import { usePerson, useSessionStore } from '../../../session/session.tsx';
import { Field, TextInput } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { CardSection } from '../../../ui/section.tsx';

type OwnName = z.infer<typeof readOwnName.response>;

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
  return (
    <Notice tone="info" className="flex w-full max-w-md flex-col items-start gap-3">
      <p className="wrap-anywhere">
        We are checking your new name <strong>{waiting.name}</strong> (asked on <Day at={waiting.at} />
        ). Until then buyers see your present name.
      </p>
      <WriteButton
        endpoint={withdrawName}
        input={{}}
        done={`Your new name was withdrawn. You keep the name ${name}.`}
        busy="Withdrawing"
      >
        Withdraw the new name
      </WriteButton>
    </Notice>
  );
}

function NameForm({ own }: { own: OwnName }) {
  const form = useWriteForm(renameUser, {
    defaultValues: { name: own.name },
    input: (body: { name: string }) => ({ body }),
    done: ({ waits }) =>
      waits
        ? 'We are checking your new name. Until then buyers see your present name.'
        : 'Your name was changed.',
  });
  return (
    <RequestForm
      form={form}
      submit="Change name"
      busy="Changing"
      variant="secondary"
      buttonClass="self-start"
      className="flex w-full max-w-md flex-col gap-5"
    >
      <Field
        label="Name"
        {...form.field('name')}
        hint={
          own.isChecked
            ? 'Your laptops, your bookings and your emails show it. We have verified you under this name. A new name is shown after we have approved it.'
            : 'Your laptops, your bookings and your emails show it.'
        }
      >
        <TextInput autoComplete="name" />
      </Field>
    </RequestForm>
  );
}

/** The own name, the form to change it, and the new one that waits for an admin. */
export function Name() {
  const query = useRead(readOwnName, {});
  useNameInSession(query.data?.name);
  return (
    <CardSection title="Name">
      <QueryView query={query} what="your name" skeleton="h-32 w-full max-w-md">
        {(own) => (
          <>
            {own.waiting && <WaitingName name={own.name} waiting={own.waiting} />}
            <NameForm own={own} />
          </>
        )}
      </QueryView>
    </CardSection>
  );
}
