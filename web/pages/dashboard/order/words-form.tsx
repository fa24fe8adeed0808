import { useRequestForm } from '../../../forms/use-request-form.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, FormFailure, TextArea } from '../../../ui/field.tsx';

interface WordsFormProps {
  /** Opens the form. */
  summary: string;
  label: string;
  hint: string;
  /** The error without words. */
  required: string;
  submit: string;
  /** Sends the words. @throws Problem, which is shown under the form; the words stay */
  send: (words: string) => Promise<void>;
}

/** A form of one text that opens on request. */
export function WordsForm({ summary, label, hint, required, submit: submitLabel, send }: WordsFormProps) {
  const { register, errors, isSubmitting, submit, failure } = useRequestForm<{ words: string }>(
    ({ words }) => send(words),
    { words: '' },
  );
  return (
    <details>
      <summary className="cursor-pointer py-2 font-semibold">{summary}</summary>
      <form noValidate onSubmit={submit} className="mt-2 flex max-w-prose flex-col items-start gap-4">
        <Field label={label} hint={hint} error={errors.words?.message} className="w-full">
          <TextArea
            rows={4}
            {...register('words', { required, validate: (words) => words.trim() !== '' || required })}
          />
        </Field>
        <FormFailure message={failure} />
        <Button type="submit" variant="secondary" busy={isSubmitting && 'Sending…'}>
          {submitLabel}
        </Button>
      </form>
    </details>
  );
}
