import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import type * as z from 'zod/mini';
import { Problem } from '#contract/client.ts';
import { dismissReports, type ReportedItem, takeDownLaptop } from '#contract/reports.ts';
import { applyProblem } from '../../../forms/apply-problem.ts';
import { useFailureToast } from '../../../forms/use-failure-toast.ts';
import { errorMessage } from '../../../requests/error-message.ts';
import { useApi } from '../../../session/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field, TextArea } from '../../../ui/field.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useMounted } from '../../../ui/use-mounted.ts';

type Decision = ReportedItem['actions'][number];

interface Note {
  note?: string | undefined;
}

const schemas: Record<Decision, z.ZodMiniType<Note, Note>> = {
  dismiss: dismissReports.body,
  takeDown: takeDownLaptop.body,
};

/** Who is told the result. The shop's own reports have no reporter; of many reports only the latest are known. */
function toldReporters({ reports, reportCount }: ReportedItem): string[] {
  const people = reports.filter(({ by, state }) => by === 'person' && state === 'Open').length;
  if (people === 0 && reports.length === reportCount) return [];
  return people === 1 && reports.length === reportCount
    ? ['A person who reported it is told the result by email.']
    : ['The people who reported it are told the result by email.'];
}

function consequencesOf(decision: Decision, item: ReportedItem): string[] {
  const reporters = toldReporters(item);
  if (decision === 'takeDown') {
    return [
      'The laptop leaves the shop at once, its advertisement too. This cannot be undone.',
      'Its seller is told by email, with your note, and reads it on My Products.',
      'Unpaid bookings of it are cancelled, and their buyers are told.',
      ...reporters,
    ];
  }
  return [
    item.productState === 'Available'
      ? 'The open reports are closed, and the laptop stays in the shop.'
      : 'The open reports are closed. Nothing else changes.',
    ...reporters,
    'The seller is not told.',
  ];
}

const texts = {
  dismiss: {
    button: 'Dismiss',
    title: 'Dismiss the reports?',
    label: 'Note',
    hint: 'Why, for the history and the audit trail. Only administrators read it.',
    busy: 'Dismissing',
    done: (name: string) => `The reports of ${name} are dismissed.`,
    already: (name: string) => `The reports of ${name} were dismissed already.`,
  },
  takeDown: {
    button: 'Take down',
    title: 'Take it down?',
    label: 'Note to the seller',
    hint: 'Why it leaves the shop, and what the seller can do.',
    busy: 'Taking down',
    done: (name: string) => `${name} is taken down.`,
    already: (name: string) => `${name} was taken down already.`,
  },
} as const;

interface DecisionFormProps {
  decision: Decision;
  item: ReportedItem;
  refresh: () => Promise<void>;
  onBusyChange: (busy: boolean) => void;
  /** Called when the dialog is done. @param settled whether the row is about to change */
  onClose: (settled: boolean) => void;
}

function DecisionForm({ decision, item, refresh, onBusyChange, onClose }: DecisionFormProps) {
  const api = useApi();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    defaultValues: { note: '' },
    resolver: standardSchemaResolver(schemas[decision], undefined, { raw: true }),
  });
  const { register, handleSubmit, formState } = form;
  const { errors, isSubmitting } = formState;
  const { label, hint, button, busy, done, already } = texts[decision];
  const isMounted = useMounted();
  const toastFailure = useFailureToast();

  function fail(error: unknown) {
    if (!isMounted()) {
      toastFailure(`${item.productName}: ${errorMessage(error)}`);
    } else if (error instanceof Problem && (error.status === 404 || error.status === 409)) {
      // Another admin was faster, so the decision has no effect any more.
      toast.error(error.message);
      onClose(true);
      void refresh();
    } else {
      setFailure(applyProblem(form, error));
    }
  }

  const submit = handleSubmit(async ({ note = '' }) => {
    setFailure(null);
    onBusyChange(true);
    const input = { params: { _id: item._id }, body: { note } };
    try {
      const call = decision === 'dismiss' ? api.call(dismissReports, input) : api.call(takeDownLaptop, input);
      const { modifiedCount } = await call;
      // A count of 0: an earlier request whose response was lost, or another admin, did the same.
      toast.success((modifiedCount > 0 ? done : already)(item.productName));
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
      <Field label={label} optional={decision === 'dismiss'} error={errors.note?.message} hint={hint}>
        <TextArea autoComplete="off" required={decision === 'takeDown'} {...register('note')} />
      </Field>
      {failure !== null && (
        <p role="alert" className="rounded-lg bg-red-soft px-4 py-3">
          {failure}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" disabled={isSubmitting} onClick={() => onClose(false)}>
          Cancel
        </Button>
        <Button
          type="submit"
          variant={decision === 'dismiss' ? 'primary' : 'danger'}
          busy={isSubmitting && busy}
        >
          {button}
        </Button>
      </div>
    </form>
  );
}

interface ReportDecisionsProps {
  item: ReportedItem;
  /** Refetches the laptop. */
  refresh: () => Promise<void>;
  /** The element to focus after the buttons are removed. */
  finalFocus: () => HTMLElement | null;
}

/** The decisions on a reported laptop, each in a dialog that lists its consequences. */
export function ReportDecisions({ item, refresh, finalFocus }: ReportDecisionsProps) {
  const [decision, setDecision] = useState<Decision | null>(null);
  const [shown, setShown] = useState<Decision>('dismiss');
  const [busy, setBusy] = useState(false);
  const settled = useRef(false);
  const close = (isSettled: boolean) => {
    settled.current = isSettled;
    setDecision(null);
  };
  return (
    <>
      {item.actions.length > 0 && (
        <div className="flex flex-wrap items-center gap-3">
          {item.actions.map((action) => (
            <Button
              key={action}
              size="small"
              variant={action === 'takeDown' ? 'danger' : 'secondary'}
              aria-label={`${texts[action].button}: ${item.productName}`}
              onClick={() => {
                setShown(action);
                setDecision(action);
              }}
            >
              {texts[action].button}
            </Button>
          ))}
          {item.productState === 'Sold' && (
            <p className="text-quiet text-sm">It is sold and paid for, so it can no longer be taken down.</p>
          )}
        </div>
      )}
      <Dialog
        open={decision !== null}
        onOpenChange={(open) => !open && !busy && close(false)}
        title={texts[shown].title}
        finalFocus={() => (settled.current ? finalFocus() : true)}
        description={
          <>
            <p className="font-semibold text-ink">{item.productName}</p>
            <ul className="mt-2 flex list-disc flex-col gap-1 pl-5">
              {consequencesOf(shown, item).map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </>
        }
      >
        <DecisionForm
          key={shown}
          decision={shown}
          item={item}
          refresh={refresh}
          onBusyChange={setBusy}
          onClose={close}
        />
      </Dialog>
    </>
  );
}
