import { type ReactNode, useRef, useState } from 'react';
import type { Callable, Input } from '#contract/platform/client.ts';
import { useWrite } from '../requests/use-write.ts';
import { SmallButton } from '../ui/button.tsx';
import { AlertDialog } from '../ui/dialog.tsx';
import { useMounted } from '../ui/use-mounted.ts';

interface RowActionProps<E extends Callable> {
  /** The button's label, and its label while the request is pending. */
  label: string;
  busyLabel: string;
  /** The name of the row, for the button's accessible name. */
  name: string;
  variant: 'primary' | 'secondary';
  endpoint: E;
  input: Input<E>;
  /** Asked before it is sent, in a dialog, with the label of the button that sends it. */
  question?: { title: string; message: ReactNode; yes: string };
  /** The dialog shown on success. */
  done: { title: string; message: string };
  /** Shown instead of the button when the action is not available; undefined when it is. */
  children: ReactNode;
}

/** A button that changes a row, after a question where one is given, and confirms it in a dialog. The row changes with the refetched list. */
export function RowAction<E extends Callable>(props: RowActionProps<E>) {
  const { label, busyLabel, name, variant, endpoint, input, question, done, children } = props;
  const [isAsking, setIsAsking] = useState(false);
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const container = useRef<HTMLSpanElement>(null);
  const isMounted = useMounted();
  const action = useWrite(endpoint, {
    done: () => (isMounted() ? undefined : done.message),
    onSuccess: () => {
      setIsAsking(false);
      setIsDialogOpen(true);
    },
    untilRead: true,
    readsUnanswered: true,
  });
  return (
    <>
      {/* Takes the focus when the button has been removed. */}
      <span ref={container} tabIndex={-1}>
        {children ?? (
          <SmallButton
            variant={variant}
            aria-label={`${label} ${name}`}
            busy={action.isPending && busyLabel}
            onClick={() => (question === undefined ? action.mutate(input) : setIsAsking(true))}
          >
            {label}
          </SmallButton>
        )}
      </span>
      {question !== undefined && (
        <AlertDialog
          open={isAsking}
          onClose={() => setIsAsking(false)}
          title={question.title}
          message={question.message}
          closeLabel="Not yet"
          confirm={{
            label: question.yes,
            busy: action.isPending && busyLabel,
            onConfirm: () => action.mutate(input, { onError: () => setIsAsking(false) }),
          }}
        />
      )}
      <AlertDialog
        open={isDialogOpen}
        onClose={() => setIsDialogOpen(false)}
        finalFocus={() => container.current}
        {...done}
      />
    </>
  );
}
