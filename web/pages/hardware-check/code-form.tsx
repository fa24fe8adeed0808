import { type CheckedLaptop, readCheckCode } from '#contract/certification/browser-checks.ts';
import { CODE_MINUTES } from '#contract/certification/inspections.ts';
import { RequestForm, useRequestForm } from '../../forms/request-form.tsx';
import { useApi } from '../../session/session.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Step } from './step.tsx';

interface CodeFormProps {
  /** The code of the address or of an earlier visit; empty for none. */
  code: string;
  onOpened: (code: string, laptop: CheckedLaptop) => void;
}

/** Asks for the one-time code, and finds its laptop. */
export function CodeForm({ code, onOpened }: CodeFormProps) {
  const api = useApi();
  const form = useRequestForm<{ code: string }>(
    async ({ code: typed }) => onOpened(typed, await api.call(readCheckCode, { body: { code: typed } })),
    { defaultValues: { code } },
  );
  return (
    <Step title="Enter the code" className="max-w-xl">
      <RequestForm
        form={form}
        submit="Start"
        busy="Looking for the laptop"
        buttonClass="self-start"
        className="mt-4 flex flex-col gap-4"
      >
        <Field
          label="Code"
          {...form.field('code', { required: 'Enter the code from your page “Measure this laptop”' })}
          hint={`It is on your page “Measure this laptop” and works for ${CODE_MINUTES} minutes. You need not sign in here.`}
        >
          <TextInput
            maxLength={40}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            placeholder="XXXX-XXXX-XXXX"
            className="figures font-mono"
          />
        </Field>
      </RequestForm>
    </Step>
  );
}
