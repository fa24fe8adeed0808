import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import type * as z from 'zod/mini';
import { errorMessage } from '../requests/error-message.ts';
import { createIdempotencyKeys } from '../requests/idempotency-keys.ts';
import { usePerson } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, FormFailure, Select, TextArea } from '../ui/field.tsx';
import { toast } from '../ui/toast.tsx';
import { useMounted } from '../ui/use-mounted.ts';
import { applyProblem } from './apply-problem.ts';
import { useFailureToast } from './use-failure-toast.ts';

interface ReportValues {
  reason: string;
  note?: string | undefined;
}

/** The typed values by user and report target, kept in memory so that reopening the dialog restores them. */
const drafts = new Map<string, ReportValues>();

const idempotencyKeys = createIdempotencyKeys();

interface ReportTarget<Reason extends string> {
  /** Its id in the shop. */
  id: string;
  /** Names it in messages, such as `ThinkPad T14` or `this review`. */
  name: string;
  reasons: readonly Reason[];
  /** Checks the values before they are sent. */
  schema: z.ZodMiniType<unknown, ReportValues>;
  /** What the note can say. */
  noteHint: string;
  send: (
    body: { reason: Reason; note: string | undefined },
    idempotencyKey: string,
  ) => Promise<{ acknowledged: boolean; message: string }>;
}

interface ReportFieldsProps<Reason extends string> {
  target: ReportTarget<Reason>;
  /** Called when the report is filed, or was filed before. */
  onReported: () => void;
  /** Called afterwards, unless the dialog was closed. */
  onDone: () => void;
}

function ReportFields<Reason extends string>({ target, onReported, onDone }: ReportFieldsProps<Reason>) {
  const [failure, setFailure] = useState<string | null>(null);
  const draft = `${usePerson().email} ${target.id}`;
  const form = useForm<ReportValues>({
    defaultValues: drafts.get(draft) ?? { note: '' },
    resolver: standardSchemaResolver(target.schema, undefined, { raw: true }),
  });
  const { register, handleSubmit, formState, getValues } = form;
  const { errors, isSubmitting } = formState;
  const isMounted = useMounted();
  const toastFailure = useFailureToast();

  const submit = handleSubmit(async ({ reason: chosen, note }) => {
    const reason = target.reasons.find((each) => each === chosen);
    if (reason === undefined) return;
    setFailure(null);
    try {
      const body = { reason, note };
      const { acknowledged, message } = await idempotencyKeys.send(draft, body, ({ idempotencyKey }) =>
        target.send(body, idempotencyKey),
      );
      if (acknowledged) toast.success(message);
      else toast.error(message);
      drafts.delete(draft);
      onReported();
      if (isMounted()) onDone();
    } catch (error) {
      if (isMounted()) setFailure(applyProblem(form, error));
      else toastFailure(`Your report of ${target.name} was not sent: ${errorMessage(error)}`);
    }
  });

  return (
    <form
      onSubmit={submit}
      onChange={() => drafts.set(draft, getValues())}
      noValidate
      className="flex flex-col gap-4"
    >
      <Field label="Reason" error={errors.reason?.message}>
        <Select required {...register('reason')}>
          <option value="">Choose a reason</option>
          {target.reasons.map((reason) => (
            <option key={reason}>{reason}</option>
          ))}
        </Select>
      </Field>
      <Field label="Note" optional error={errors.note?.message} hint={target.noteHint}>
        <TextArea autoComplete="off" {...register('note')} />
      </Field>
      <FormFailure message={failure === null ? null : `${failure} What you wrote is still here.`} />
      <Button type="submit" busy={isSubmitting && 'Sending'}>
        Send report
      </Button>
    </form>
  );
}

interface ReportDialogProps<Reason extends string> {
  title: string;
  description: ReactNode;
  target: ReportTarget<Reason>;
  open: boolean;
  onClose: () => void;
  /** Called when the report is filed, or was filed before. */
  onReported?: () => void;
}

/** The dialog that sends a report to the admins. */
export function ReportDialog<Reason extends string>(props: ReportDialogProps<Reason>) {
  const { title, description, target, open, onClose, onReported } = props;
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={title} description={description}>
      <ReportFields target={target} onReported={() => onReported?.()} onDone={onClose} />
    </Dialog>
  );
}
