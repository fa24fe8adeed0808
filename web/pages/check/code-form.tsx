import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type CheckedLaptop, readCheckCode } from '#contract/browser-checks.ts';
import { CODE_MINUTES } from '#contract/inspections.ts';
import { errorMessage } from '../../requests/error-message.ts';
import { useApi } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { StepHeading } from './step-heading.tsx';

interface CodeFormProps {
  /** The code of the address or of an earlier visit; empty for none. */
  code: string;
  onOpened: (code: string, laptop: CheckedLaptop) => void;
}

/** Asks for the one-time code, and finds its laptop. */
export function CodeForm({ code: given, onOpened }: CodeFormProps) {
  const api = useApi();
  const [code, setCode] = useState(given);
  const [isMissing, setIsMissing] = useState(false);
  const open = useMutation({
    mutationFn: (typed: string) => api.call(readCheckCode, { body: { code: typed } }),
    onSuccess: (laptop, typed) => onOpened(typed, laptop),
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    const typed = code.trim();
    setIsMissing(typed === '');
    if (typed !== '') open.mutate(typed);
  }
  const error = isMissing
    ? 'Enter the code from your page “Measure this laptop”'
    : open.isError
      ? errorMessage(open.error)
      : undefined;
  return (
    <section
      aria-labelledby="step"
      className="max-w-xl rounded-xl border border-line bg-surface p-5 shadow-card sm:p-6"
    >
      <StepHeading>Enter the code</StepHeading>
      <form onSubmit={submit} noValidate className="mt-4 flex flex-col gap-4">
        <Field
          label="Code"
          error={error}
          hint={`It is on your page “Measure this laptop” and works for ${CODE_MINUTES} minutes. You need not sign in here.`}
        >
          <TextInput
            value={code}
            onChange={(event) => setCode(event.target.value)}
            maxLength={40}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            placeholder="XXXX-XXXX-XXXX"
            className="figures font-mono"
          />
        </Field>
        <Button type="submit" busy={open.isPending && 'Looking for the laptop'} className="self-start">
          Start
        </Button>
      </form>
    </section>
  );
}
