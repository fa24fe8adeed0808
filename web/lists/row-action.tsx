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
  /** The dialog shown on success. */
  done: { title: string; message: string };
  /** Shown instead of the button when the action is not available; undefined when it is. */
  children: ReactNode;
}

/** A button that changes a row and confirms it in a dialog. The row changes with the refetched list. */
export function RowAction<E extends Callable>(props: RowActionProps<E>) {
  const { label, busyLabel, name, variant, endpoint, input, done, children } = props;
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const container = useRef<HTMLSpanElement>(null);
  const isMounted = useMounted();
  const action = useWrite(endpoint, {
    done: () => (isMounted() ? undefined : done.message),
    onSuccess: () => setIsDialogOpen(true),
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
            onClick={() => action.mutate(input)}
          >
            {label}
          </SmallButton>
        )}
      </span>
      <AlertDialog
        open={isDialogOpen}
        onClose={() => setIsDialogOpen(false)}
        finalFocus={() => container.current}
        {...done}
      />
    </>
  );
}
