import { type ReactNode, useRef, useState } from 'react';
import type * as z from 'zod/mini';
import type { Callable } from '#contract/platform/client.ts';
import { isOutdated } from '../requests/use-write.ts';
import { SmallButton } from '../ui/button.tsx';
import { Field, TextArea } from '../ui/field.tsx';
import { FormDialog } from './request-form.tsx';
import { useWriteForm } from './use-write-form.ts';

/** The call of a decision. Its body is one note. */
type DecisionEndpoint = Callable & Readonly<{ response: z.ZodMiniType<{ modifiedCount: number }> }>;

/** A decision of an admin, with a note. */
export interface Decision {
  /** The label of the buttons that open the dialog and that decide. */
  button: string;
  /** Shown while the decision is sent. */
  busy: string;
  /** Whether it takes something away. It then needs a note. */
  isDangerous: boolean;
  title: string;
  /** What happens, in sentences. */
  consequences: readonly string[];
  endpoint: DecisionEndpoint;
  params: Readonly<Record<string, string>>;
  /** The field of the call that takes the note. */
  field: 'note' | 'reason';
  label: string;
  hint: string;
  done: string;
  /** The message when an earlier request whose response was lost, or another admin, decided the same. */
  alreadyDone: string;
}

interface DecisionDialogProps {
  /** The subject, such as the name of a laptop. */
  name: string;
  decision: Decision;
  /** Reads the subject again; left out: all that the call has changed. */
  refresh?: (() => Promise<void>) | undefined;
  onClose: () => void;
  /** The element to focus after closing. @param isResolved whether the decision has taken effect */
  finalFocus: (isResolved: boolean) => HTMLElement | null | true;
}

/** A dialog that lists the consequences of a decision and takes the note to it. */
export function DecisionDialog({ decision, name, refresh, onClose, finalFocus }: DecisionDialogProps) {
  const isResolved = useRef(false);
  const form = useWriteForm(decision.endpoint, {
    defaultValues: { note: '' },
    input: ({ note }: { note: string }) => ({
      params: decision.params,
      query: undefined,
      body: { [decision.field]: note },
    }),
    rename: () => 'note',
    done: ({ modifiedCount }) => (modifiedCount > 0 ? decision.done : decision.alreadyDone),
    read: refresh,
    failureTitle: name,
    // Another admin was faster, so the decision has no effect any more.
    closesOn: isOutdated,
    onClose: () => {
      isResolved.current = true;
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={decision.title}
      submit={decision.button}
      busy={decision.busy}
      variant={decision.isDangerous ? 'danger' : 'primary'}
      onClose={onClose}
      finalFocus={() => finalFocus(isResolved.current)}
      description={
        <>
          <p className="font-semibold text-foreground">{name}</p>
          <ul className="mt-2 flex list-disc flex-col gap-1 pl-5">
            {decision.consequences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      }
    >
      <Field
        label={decision.label}
        optional={!decision.isDangerous}
        {...form.field('note')}
        hint={decision.hint}
      >
        <TextArea autoComplete="off" required={decision.isDangerous} />
      </Field>
    </FormDialog>
  );
}

interface DecisionsProps {
  /** The subject, such as the name of a laptop. */
  name: string;
  /** The decisions that are possible now. */
  decisions: readonly Decision[];
  /** Reads the subject again; left out: all that the call has changed. */
  refresh?: (() => Promise<void>) | undefined;
  /** Shown beside the buttons. */
  children?: ReactNode;
}

/** The decisions of an admin about the subject of an article, each in a dialog that lists its consequences. */
export function Decisions({ name, decisions, refresh, children }: DecisionsProps) {
  const [decision, setDecision] = useState<Decision | null>(null);
  const buttons = useRef<HTMLDivElement>(null);
  return (
    <>
      <div ref={buttons} className="flex flex-wrap items-center gap-3 empty:hidden">
        {decisions.map((each) => (
          <SmallButton
            key={each.button}
            variant={each.isDangerous ? 'danger' : 'secondary'}
            aria-label={`${each.button}: ${name}`}
            onClick={() => setDecision(each)}
          >
            {each.button}
          </SmallButton>
        ))}
        {decisions.length > 0 && children}
      </div>
      {decision && (
        <DecisionDialog
          name={name}
          decision={decision}
          refresh={refresh}
          onClose={() => setDecision(null)}
          finalFocus={(isResolved) => {
            // The decision removes the buttons.
            const subject = isResolved ? buttons.current?.closest('article') : null;
            return subject?.querySelector('h2') ?? subject ?? true;
          }}
        />
      )}
    </>
  );
}
