import { useEffect, useEffectEvent } from 'react';
import { useForm } from 'react-hook-form';
import { useSessionStore } from '../session/session.tsx';
import type { Person, RecordFailure, RegisteringRole } from '../session/session-state.ts';
import { Button } from '../ui/button.tsx';
import { Field, FormFailure, Select, TextInput } from '../ui/field.tsx';
import { moveFocusTo } from '../ui/route-announcer.tsx';
import { useSignIn } from './sign-in.tsx';

interface FinishRegistrationProps {
  person: Person;
  role: RegisteringRole;
  /** Why the last attempt failed, if there was one. */
  lastFailure: RecordFailure | null;
}

/** Form that creates the user record of an identity without one. */
export function FinishRegistration({ person, role, lastFailure }: FinishRegistrationProps) {
  const { signIn, failure } = useSignIn();
  const store = useSessionStore();
  const { register, handleSubmit, setFocus, formState } = useForm({
    defaultValues: { name: person.name, role },
  });
  const nameRefusal = lastFailure?.field === 'name' ? lastFailure.message : undefined;
  const otherFailure = failure ?? lastFailure?.message ?? null;
  const moveFocus = useEffectEvent(() => {
    if (nameRefusal === undefined) moveFocusTo('');
    else setFocus('name');
  });
  // The focused button was removed with its form.
  useEffect(() => moveFocus(), []);
  const finish = handleSubmit(async (record) => {
    if (await signIn((actions) => actions.finishRegistration(record))) return;
    const session = store.read();
    if (session.status === 'unfinished' && session.failure?.field === 'name') setFocus('name');
  });
  return (
    <>
      <h1 className="text-3xl sm:text-4xl">One step left</h1>
      <p className="mt-3 text-muted">
        {nameRefusal === undefined ? (
          <>
            Your sign-in as <strong className="text-foreground">{person.email}</strong> works, but your
            registration here was not finished. Nothing needs to be typed twice.
          </>
        ) : (
          'Your sign-in works. Please choose another name to finish.'
        )}
      </p>
      <form onSubmit={finish} noValidate className="mt-6 flex flex-col gap-5">
        <Field label="Name" error={formState.errors.name?.message ?? nameRefusal}>
          <TextInput autoComplete="name" {...register('name', { required: 'Name is required' })} />
        </Field>
        <Field label="Register As">
          <Select {...register('role')}>
            <option value="Buyer">Buyer</option>
            <option value="Seller">Seller</option>
          </Select>
        </Field>
        <Button type="submit" busy={formState.isSubmitting && 'Finishing'}>
          Finish registration
        </Button>
        <FormFailure message={otherFailure === nameRefusal ? null : otherFailure} />
        <Button variant="quiet" onClick={store.signOut}>
          Use another account
        </Button>
      </form>
    </>
  );
}
