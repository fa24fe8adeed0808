import type { ReactNode } from 'react';
import type { Callable } from '#contract/platform/client.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Options, Select, TextArea } from '../ui/field.tsx';
import { RequestForm } from './request-form.tsx';
import { type FormInput, useWriteForm } from './use-write-form.ts';

const empty = { reason: '', note: '' };

interface ReportTarget<E extends Callable> {
  /** The call that reports it. */
  endpoint: E;
  input: (values: typeof empty) => FormInput<E>;
  /** Names it in messages, such as `ThinkPad T14` or `this review`. */
  name: string;
  reasons: readonly string[];
  /** What the note can say. */
  noteHint: string;
}

interface ReportFieldsProps<E extends Callable> {
  target: ReportTarget<E>;
  /** Called when the report is filed, or was filed before. */
  onReported: (() => void) | undefined;
  /** Called afterwards, unless the dialog was closed. */
  onDone: () => void;
}

function ReportFields<E extends Callable>({ target, onReported, onDone }: ReportFieldsProps<E>) {
  const form = useWriteForm(target.endpoint, {
    defaultValues: empty,
    input: target.input,
    onSuccess: onReported,
    failureTitle: `Your report of ${target.name} was not sent`,
    onClose: onDone,
  });
  const { failure } = form;
  return (
    <RequestForm
      form={{ ...form, failure: failure === null ? null : `${failure} What you wrote is still here.` }}
      submit="Send report"
      busy="Sending"
      className="flex flex-col gap-4"
    >
      <Field label="Reason" {...form.field('reason')}>
        <Select required>
          <option value="">Choose a reason</option>
          <Options values={target.reasons} />
        </Select>
      </Field>
      <Field label="Note" optional {...form.field('note')} hint={target.noteHint}>
        <TextArea autoComplete="off" />
      </Field>
    </RequestForm>
  );
}

interface ReportDialogProps<E extends Callable> {
  title: string;
  description: ReactNode;
  target: ReportTarget<E>;
  open: boolean;
  onClose: () => void;
  /** Called when the report is filed, or was filed before. */
  onReported?: () => void;
}

/** The dialog that sends a report to the admins. */
export function ReportDialog<E extends Callable>(props: ReportDialogProps<E>) {
  const { title, description, target, open, onClose, onReported } = props;
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={title} description={description}>
      <ReportFields target={target} onReported={onReported} onDone={onClose} />
    </Dialog>
  );
}
