import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import type { Laptop } from '#contract/catalogue.ts';
import { NewReport, reportLaptop, reportReasons } from '#contract/reports.ts';
import { applyProblem } from '../forms/apply-problem.ts';
import { useFailureToast } from '../forms/use-failure-toast.ts';
import { errorMessage } from '../requests/error-message.ts';
import { createIdempotencyKeys } from '../requests/idempotency-keys.ts';
import { useApi, usePerson } from '../session/session.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Select, TextArea } from '../ui/field.tsx';
import { toast } from '../ui/toast.tsx';
import { useMounted } from '../ui/use-mounted.ts';
import { laptopTitleId } from './laptop-title-id.ts';

const ReportValues = z.pick(NewReport, { reason: true, note: true });

/** The typed values by user and laptop, kept in memory so that reopening the dialog restores them. */
const drafts = new Map<string, z.input<typeof ReportValues>>();

const idempotencyKeys = createIdempotencyKeys();

interface ReportFieldsProps {
  laptop: Pick<Laptop, '_id' | 'name'>;
  /** Called when the report is filed, or was filed before. */
  onReported: () => void;
  /** Called afterwards, unless the dialog was closed. */
  onDone: () => void;
}

function ReportFields({ laptop, onReported, onDone }: ReportFieldsProps) {
  const api = useApi();
  const [failure, setFailure] = useState<string | null>(null);
  const draft = `${usePerson().email} ${laptop._id}`;
  const form = useForm({
    defaultValues: drafts.get(draft) ?? { note: '' },
    resolver: standardSchemaResolver(ReportValues, undefined, { raw: true }),
  });
  const { register, handleSubmit, formState, getValues } = form;
  const { errors, isSubmitting } = formState;
  const isMounted = useMounted();
  const toastFailure = useFailureToast();

  const submit = handleSubmit(async ({ reason, note }) => {
    setFailure(null);
    try {
      const body = { productCode: laptop._id, reason, note };
      const { acknowledged, message } = await idempotencyKeys.send(draft, body, ({ idempotencyKey }) =>
        api.call(reportLaptop, { body, idempotencyKey }),
      );
      if (acknowledged) toast.success(message);
      else toast.error(message);
      drafts.delete(draft);
      onReported();
      if (isMounted()) onDone();
    } catch (error) {
      if (isMounted()) setFailure(applyProblem(form, error));
      else toastFailure(`Your report of ${laptop.name} was not sent: ${errorMessage(error)}`);
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
          {reportReasons.map((reason) => (
            <option key={reason}>{reason}</option>
          ))}
        </Select>
      </Field>
      <Field
        label="Note"
        optional
        error={errors.note?.message}
        hint="What you saw, and where. The seller is not told who you are."
      >
        <TextArea autoComplete="off" {...register('note')} />
      </Field>
      {failure !== null && (
        <p role="alert" className="rounded-lg bg-red-soft px-4 py-3">
          {failure} What you wrote is still here.
        </p>
      )}
      <Button type="submit" busy={isSubmitting && 'Sending'}>
        Send report
      </Button>
    </form>
  );
}

interface ReportDialogProps {
  laptop: Pick<Laptop, '_id' | 'name'>;
  open: boolean;
  onClose: () => void;
  /** Called when the report is filed, or was filed before. */
  onReported: () => void;
}

/** The dialog that sends a report to the admins. */
export function ReportDialog({ laptop, open, onClose, onReported }: ReportDialogProps) {
  const reported = useRef(false);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Report this item"
      // After a report the button is disabled and cannot take the focus.
      finalFocus={() => (reported.current ? document.getElementById(laptopTitleId(laptop)) : true)}
      description={
        <p>
          Tell the shop’s administrators what is wrong with{' '}
          <strong className="text-ink">{laptop.name}</strong>. They read every report, and you are told the
          result by email.
        </p>
      }
    >
      <ReportFields
        laptop={laptop}
        onReported={onReported}
        onDone={() => {
          reported.current = true;
          onClose();
        }}
      />
    </Dialog>
  );
}
