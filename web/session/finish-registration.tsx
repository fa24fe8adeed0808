import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '../ui/button.tsx';
import { Field, Select, TextInput } from '../ui/field.tsx';
import { goOnFrom } from '../ui/route-announcer.tsx';
import { FormFailure, useEntering } from './entering.tsx';
import { useSessionActions } from './session.tsx';
import type { Person, RegisteringRole } from './store.ts';

interface FinishRegistrationProps {
  person: Person;
  role: RegisteringRole;
  /** Why it was not finished, when that is known. */
  reason: string | null;
}

/** For an identity that has no user record here: the last step of registering, to be tried again. */
export function FinishRegistration({ person, role, reason }: FinishRegistrationProps) {
  const { enter, failure } = useEntering();
  const { signOut } = useSessionActions();
  const { register, handleSubmit, formState } = useForm({ defaultValues: { name: person.name, role } });
  // The button that had the focus is gone with its form.
  useEffect(() => goOnFrom(''), []);
  const finish = handleSubmit(async (record) => {
    await enter((store) => store.finish(record));
  });
  return (
    <>
      <h1 className="text-3xl sm:text-4xl">One step left</h1>
      <p className="mt-3 text-quiet">
        Your sign-in as <strong className="text-ink">{person.email}</strong> works, but your registration here
        was not finished. Nothing needs to be typed twice.
      </p>
      <form onSubmit={finish} noValidate className="mt-6 flex flex-col gap-5">
        <Field label="Name" error={formState.errors.name?.message}>
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
        <FormFailure message={failure ?? reason} />
        <Button look="quiet" onClick={signOut}>
          Use another account
        </Button>
      </form>
    </>
  );
}
