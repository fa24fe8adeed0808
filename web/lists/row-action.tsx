import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { SmallButton } from '../ui/button.tsx';
import { AlertDialog } from '../ui/dialog.tsx';
import { toast } from '../ui/toast.tsx';
import { useMounted } from '../ui/use-mounted.ts';

interface RowActionProps {
  /** The button's label, and its label while the request is pending. */
  label: string;
  busyLabel: string;
  /** The name of the row, for the button's accessible name. */
  name: string;
  variant: 'primary' | 'secondary';
  /** Sends the request. @throws Problem */
  run: () => Promise<unknown>;
  /** Refetches the list. */
  refresh: () => Promise<void>;
  /** The dialog shown on success. */
  done: { title: string; message: string };
  /** Shown instead of the button when the action is not available; undefined when it is. */
  children: ReactNode;
}

/** A button that changes a row and confirms it in a dialog. The row changes with the refetched list. */
export function RowAction({ label, busyLabel, name, variant, run, refresh, done, children }: RowActionProps) {
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const container = useRef<HTMLSpanElement>(null);
  const isMounted = useMounted();
  const action = useMutation({
    mutationFn: run,
    onSuccess: () => {
      if (isMounted()) setIsDialogOpen(true);
      else toast.success(done.message);
      return refresh();
    },
    onError: (error) => {
      toast.error(error.message);
      return refresh();
    },
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
            onClick={() => action.mutate()}
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
