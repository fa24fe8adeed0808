import { type CheckedLaptop, readCheckCode } from '#contract/certification/browser-checks.ts';
import { CODE_MINUTES } from '#contract/certification/inspections.ts';
import { useRequestForm } from '../../forms/use-request-form.ts';
import { useApi } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, FormFailure, TextInput } from '../../ui/field.tsx';
import { StepHeading } from './step-heading.tsx';

interface CodeFormProps {
  /** The code of the address or of an earlier visit; empty for none. */
  code: string;
  onOpened: (code: string, laptop: CheckedLaptop) => void;
}

/** Asks for the one-time code, and finds its laptop. */
export function CodeForm({ code, onOpened }: CodeFormProps) {
  const api = useApi();
  const { register, errors, isSubmitting, submit, failure } = useRequestForm<{ code: string }>(
    async ({ code: typed }) => onOpened(typed, await api.call(readCheckCode, { body: { code: typed } })),
    { code },
  );
  return (
    <section aria-labelledby="step" className="card max-w-xl shadow-card">
      <StepHeading>Enter the code</StepHeading>
      <form onSubmit={(event) => void submit(event)} noValidate className="mt-4 flex flex-col gap-4">
        <Field
          label="Code"
          error={errors.code?.message}
          hint={`It is on your page “Measure this laptop” and works for ${CODE_MINUTES} minutes. You need not sign in here.`}
        >
          <TextInput
            {...register('code', { required: 'Enter the code from your page “Measure this laptop”' })}
            maxLength={40}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            placeholder="XXXX-XXXX-XXXX"
            className="figures font-mono"
          />
        </Field>
        <FormFailure message={failure} />
        <Button type="submit" busy={isSubmitting && 'Looking for the laptop'} className="self-start">
          Start
        </Button>
      </form>
    </section>
  );
}
