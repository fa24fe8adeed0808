import type { Callable } from '#contract/platform/client.ts';
import { RequestForm } from '../../../forms/request-form.tsx';
import { type FormInput, useWriteForm } from '../../../forms/use-write-form.ts';
import { Details } from '../../../ui/details.tsx';
import { Field, TextArea } from '../../../ui/field.tsx';

interface WordsFormProps<E extends Callable> {
  /** Opens the form. */
  summary: string;
  label: string;
  hint: string;
  submit: string;
  /** The call that takes the words. */
  endpoint: E;
  input: (words: string) => FormInput<E>;
  done: string;
  onDone: () => void;
}

/** A form of one text that opens on request. */
export function WordsForm<E extends Callable>(props: WordsFormProps<E>) {
  const { summary, label, hint, submit, endpoint, input, done, onDone } = props;
  const form = useWriteForm(endpoint, {
    defaultValues: { words: '' },
    input: ({ words }: { words: string }) => input(words),
    rename: () => 'words',
    done,
    onClose: onDone,
  });
  return (
    <Details summary={summary}>
      <RequestForm
        form={form}
        submit={submit}
        busy="Sending…"
        variant="secondary"
        className="flex max-w-prose flex-col items-start gap-4"
      >
        <Field label={label} hint={hint} {...form.field('words')} className="w-full">
          <TextArea rows={4} />
        </Field>
      </RequestForm>
    </Details>
  );
}
