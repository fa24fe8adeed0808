import { useQueryClient } from '@tanstack/react-query';
import { useRequestForm } from '../../../forms/use-request-form.ts';
import { usePerson, useSessionStore } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field, FormFailure, TextInput } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';
import { Section } from './section.tsx';

/** The form to change one's own name. */
export function Name() {
  const store = useSessionStore();
  const queries = useQueryClient();
  const { name } = usePerson();
  const { register, submit, errors, isSubmitting, failure } = useRequestForm<{ name: string }>(
    async (values) => {
      await store.run((actions) => actions.rename(values.name.trim()));
      toast.success('Your name was changed.');
      // Lists show names.
      void queries.invalidateQueries();
    },
    { name },
  );
  return (
    <Section title="Name">
      <form onSubmit={submit} noValidate className="flex w-full max-w-md flex-col gap-5">
        <Field
          label="Name"
          error={errors.name?.message}
          hint="Your laptops, your bookings and your emails show it."
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
    </Section>
  );
}
