import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { type ReactNode, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import type * as z from 'zod/mini';
import { Problem } from '#contract/platform/client.ts';
import { errorMessage } from '../requests/error-message.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, FormFailure, TextArea } from '../ui/field.tsx';
import { toast } from '../ui/toast.tsx';
import { useMounted } from '../ui/use-mounted.ts';
import { applyProblem } from './apply-problem.ts';
import { useFailureToast } from './use-failure-toast.ts';

/** The fields of a decision, of which each call has one. */
interface DecisionValues {
  note?: string | undefined;
  reason?: string | undefined;
}

/** A decision of an admin, with a note. */
export interface Decision {
  /** The label of the buttons that open the dialog and that decide. */
  button: string;
  /** Shown while the decision is sent. */
  busy: string;
  isDangerous: boolean;
  title: string;
  /** What happens, in sentences. */
  consequences: readonly string[];
  /** The field of the call that takes the note. */
  field: keyof DecisionValues;
  label: string;
  hint: string;
  /** Checks the body of the call before it is sent. */
  schema: z.ZodMiniType<unknown, DecisionValues>;
  /** Whether the note can be empty. */
  isNoteOptional: boolean;
  send: (note: string) => Promise<{ modifiedCount: number }>;
  done: string;
  /** The message when an earlier request whose response was lost, or another admin, decided the same. */
  alreadyDone: string;
}

interface DecisionFormProps {
  decision: Decision;
  name: string;
  refresh: () => Promise<void>;
  onBusyChange: (busy: boolean) => void;
  /** Called when the dialog is done. @param isResolved whether the decision has taken effect */
  onClose: (isResolved: boolean) => void;
}

function DecisionForm({ decision, name, refresh, onBusyChange, onClose }: DecisionFormProps) {
  const { field, label, hint, isNoteOptional, button, busy } = decision;
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm<DecisionValues>({
    defaultValues: { [field]: '' },
    resolver: standardSchemaResolver(decision.schema, undefined, { raw: true }),
  });
  const { register, handleSubmit, formState } = form;
  const { errors, isSubmitting } = formState;
  const isMounted = useMounted();
  const toastFailure = useFailureToast();

  function fail(error: unknown) {
    if (!isMounted()) {
      toastFailure(`${name}: ${errorMessage(error)}`);
    } else if (error instanceof Problem && (error.status === 404 || error.status === 409)) {
      // Another admin was faster, so the decision has no effect any more.
      toast.error(error.message);
      onClose(true);
      void refresh();
    } else {
      setFailure(applyProblem(form, error));
    }
  }

  const submit = handleSubmit(async (values) => {
    setFailure(null);
    onBusyChange(true);
    try {
      const { modifiedCount } = await decision.send(values[field] ?? '');
      toast.success(modifiedCount > 0 ? decision.done : decision.alreadyDone);
      onClose(true);
      void refresh();
    } catch (error) {
      fail(error);
    } finally {
      onBusyChange(false);
    }
  });

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-5">
      <Field label={label} optional={isNoteOptional} error={errors[field]?.message} hint={hint}>
        <TextArea autoComplete="off" required={!isNoteOptional} {...register(field)} />
      </Field>
      <FormFailure message={failure} />
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" disabled={isSubmitting} onClick={() => onClose(false)}>
          Cancel
        </Button>
        <Button
          type="submit"
          variant={decision.isDangerous ? 'danger' : 'primary'}
          busy={isSubmitting && busy}
        >
          {button}
        </Button>
      </div>
    </form>
  );
}

interface DecisionDialogProps {
  /** The subject, such as the name of a laptop. */
  name: string;
  /** The decision to make; null closes the dialog. */
  decision: Decision | null;
  /** Refetches the subject. */
  refresh: () => Promise<void>;
  onClose: () => void;
  /** The element to focus after closing. @param isResolved whether the decision has taken effect */
  finalFocus: (isResolved: boolean) => HTMLElement | null | true;
}

/** A dialog that lists the consequences of a decision and takes the note to it. */
export function DecisionDialog({ name, decision, refresh, onClose, finalFocus }: DecisionDialogProps) {
  // Stays while the dialog closes.
  const [shown, setShown] = useState(decision);
  if (decision !== null && decision !== shown) setShown(decision);
  const [busy, setBusy] = useState(false);
  const isResolved = useRef(false);
  const close = (resolved: boolean) => {
    isResolved.current = resolved;
    onClose();
  };
  return (
    <Dialog
      open={decision !== null}
      onOpenChange={(open) => !open && !busy && close(false)}
      title={shown?.title ?? ''}
      finalFocus={() => finalFocus(isResolved.current)}
      description={
        <>
          <p className="font-semibold text-foreground">{name}</p>
          <ul className="mt-2 flex list-disc flex-col gap-1 pl-5">
            {shown?.consequences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      }
    >
      {shown !== null && (
        <DecisionForm
          key={shown.title}
          decision={shown}
          name={name}
          refresh={refresh}
          onBusyChange={setBusy}
          onClose={close}
        />
      )}
    </Dialog>
  );
}

interface DecisionsProps {
  /** The subject, such as the name of a laptop. */
  name: string;
  /** The decisions that are possible now. */
  decisions: readonly Decision[];
  /** Refetches the subject. */
  refresh: () => Promise<void>;
  /** The element to focus after the buttons are removed. */
  finalFocus: () => HTMLElement | null;
  /** Shown beside the buttons. */
  children?: ReactNode;
}

/** The decisions of an admin about one subject, each in a dialog that lists its consequences. */
export function Decisions({ name, decisions, refresh, finalFocus, children }: DecisionsProps) {
  const [decision, setDecision] = useState<Decision | null>(null);
  return (
    <>
      {decisions.length > 0 && (
        <div className="flex flex-wrap items-center gap-3">
          {decisions.map((each) => (
            <Button
              key={each.button}
              size="small"
              variant={each.isDangerous ? 'danger' : 'secondary'}
              aria-label={`${each.button}: ${name}`}
              onClick={() => setDecision(each)}
            >
              {each.button}
            </Button>
          ))}
          {children}
        </div>
      )}
      <DecisionDialog
        name={name}
        decision={decision}
        refresh={refresh}
        onClose={() => setDecision(null)}
        finalFocus={(isResolved) => (isResolved ? finalFocus() : true)}
      />
    </>
  );
}
